// SPDX-License-Identifier: MIT
// The program's swapchains, whose images Weir reads.
#include "capture/layer/swapchain.h"

#include <stdlib.h>

#include "capture/layer/sender.h"
#include "capture/layer/stream.h"

struct layer_swapchain *layer_swapchain_find(struct layer_device *device, VkSwapchainKHR handle)
{
    struct layer_swapchain *swapchain = device->swapchains;
    while (swapchain && swapchain->handle != handle) {
        swapchain = swapchain->next;
    }
    return swapchain;
}

static void destroy(const struct layer_device *device, struct layer_swapchain *swapchain)
{
    for (uint32_t i = 0; swapchain->images && i < swapchain->num_images; i++) {
        device->DestroySemaphore(device->handle, swapchain->images[i].ready, NULL);
        device->DestroySemaphore(device->handle, swapchain->images[i].done, NULL);
    }
    free(swapchain->images);
    free(swapchain);
}

static void unlink_swapchain(struct layer_device *device, const struct layer_swapchain *swapchain)
{
    struct layer_swapchain **at = &device->swapchains;
    while (*at != swapchain) {
        at = &(*at)->next;
    }
    *at = swapchain->next;
}

// Destroy the retired swapchains whose presents are over: a later frame on their queue is, which
// the swapchain `behind` had.
static void sweep(struct layer_device *device, const struct layer_swapchain *behind)
{
    struct layer_swapchain **at = &device->retired;
    while (*at) {
        struct layer_swapchain *retired = *at;
        if (retired->queue == behind->queue && behind->last_encoded > retired->retired_after) {
            *at = retired->next;
            destroy(device, retired);
        } else {
            at = &retired->next;
        }
    }
}

// Keep what is left of a swapchain that is closed: the last presents of its images may still wait
// for their semaphores, which no call reports.
static void retire(struct layer_device *device, struct layer_swapchain *swapchain)
{
    if (swapchain->last_encoded == 0) {
        destroy(device, swapchain);
        return;
    }
    sweep(device, swapchain);
    swapchain->retired_after = device->num_encoded;
    swapchain->next = device->retired;
    device->retired = swapchain;
}

static void drop(struct layer_device *device, struct layer_swapchain *swapchain)
{
    unlink_swapchain(device, swapchain);
    layer_stream_close(&swapchain->stream);
    retire(device, swapchain);
}

void layer_swapchains_finish(struct layer_device *device)
{
    while (device->swapchains) {
        drop(device, device->swapchains);
    }
    while (device->retired) {
        struct layer_swapchain *retired = device->retired;
        device->retired = retired->next;
        destroy(device, retired);
    }
}

static bool is_shared_with_display(VkPresentModeKHR mode)
{
    return mode == VK_PRESENT_MODE_SHARED_DEMAND_REFRESH_KHR ||
           mode == VK_PRESENT_MODE_SHARED_CONTINUOUS_REFRESH_KHR;
}

// Get what kernels need of the usages that a surface's images can have: to be read by them, or else
// to be copied.
static VkImageUsageFlags missing_usage(const struct layer_device *device,
                                       const VkSwapchainCreateInfoKHR *info)
{
    const struct layer_instance *instance = device->instance;
    VkSurfaceCapabilitiesKHR surface;
    if (is_shared_with_display(info->presentMode) ||
        !instance->GetPhysicalDeviceSurfaceCapabilitiesKHR ||
        instance->GetPhysicalDeviceSurfaceCapabilitiesKHR(device->physical, info->surface,
                                                          &surface) != VK_SUCCESS) {
        return 0;
    }
    const bool resizes = device->sender->setup.resize != WEIR_RESIZE_NEW;
    const VkImageUsageFlags wanted[] = {
        VK_IMAGE_USAGE_SAMPLED_BIT | (resizes ? VK_IMAGE_USAGE_TRANSFER_SRC_BIT : 0),
        VK_IMAGE_USAGE_SAMPLED_BIT, VK_IMAGE_USAGE_TRANSFER_SRC_BIT};
    for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
        VkImageFormatProperties format;
        const VkImageUsageFlags usage = info->imageUsage | wanted[i];
        if ((surface.supportedUsageFlags & wanted[i]) == wanted[i] &&
            instance->GetPhysicalDeviceImageFormatProperties(
                device->physical, info->imageFormat, VK_IMAGE_TYPE_2D, VK_IMAGE_TILING_OPTIMAL,
                usage, 0, &format) == VK_SUCCESS) {
            return wanted[i] & ~info->imageUsage;
        }
    }
    return 0;
}

static bool create_semaphore(const struct layer_device *device, VkSemaphore *out)
{
    const VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    VkSemaphore semaphore; // undefined where it fails
    const bool is_made = device->CreateSemaphore(device->handle, &info, NULL, &semaphore) ==
                         VK_SUCCESS;
    *out = is_made ? semaphore : VK_NULL_HANDLE;
    return is_made;
}

static bool get_images(const struct layer_device *device, struct layer_swapchain *swapchain)
{
    uint32_t num;
    if (device->GetSwapchainImagesKHR(device->handle, swapchain->handle, &num, NULL) !=
        VK_SUCCESS) {
        return false;
    }
    VkImage *handles = calloc(num, sizeof(handles[0]));
    swapchain->images = calloc(num, sizeof(swapchain->images[0]));
    swapchain->num_images = num;
    bool is_done = handles && swapchain->images &&
                   device->GetSwapchainImagesKHR(device->handle, swapchain->handle, &num,
                                                 handles) == VK_SUCCESS;
    for (uint32_t i = 0; is_done && i < num; i++) {
        swapchain->images[i].handle = handles[i];
        is_done = create_semaphore(device, &swapchain->images[i].ready) &&
                  create_semaphore(device, &swapchain->images[i].done);
    }
    free(handles);
    return is_done;
}

static const char no_memory[] = "a window is not recorded: no memory is left for it";

// Keep a swapchain that was made.
static void add(struct layer_device *device, const VkSwapchainCreateInfoKHR *info,
                VkSwapchainKHR handle)
{
    if (is_shared_with_display(info->presentMode)) {
        layer_sender_say(device->sender, true,
                         "a window is not recorded: it shares its image with the display");
        return;
    }
    struct layer_swapchain *swapchain = calloc(1, sizeof(*swapchain));
    if (!swapchain) {
        layer_sender_say(device->sender, true, no_memory);
        return;
    }
    swapchain->handle = handle;
    swapchain->info = *info;
    swapchain->info.pNext = NULL;
    swapchain->info.pQueueFamilyIndices = NULL;
    if (!get_images(device, swapchain)) {
        layer_sender_say(device->sender, true, no_memory);
        destroy(device, swapchain);
        return;
    }
    pthread_mutex_lock(&device->mutex);
    swapchain->next = device->swapchains;
    device->swapchains = swapchain;
    pthread_mutex_unlock(&device->mutex);
}

VkResult layer_create_swapchain(VkDevice handle, const VkSwapchainCreateInfoKHR *info,
                                const VkAllocationCallbacks *allocator, VkSwapchainKHR *out)
{
    struct layer_device *device = layer_device_of(handle);
    VkSwapchainCreateInfoKHR wanted = *info;
    layer_sender_make_room(device->sender);
    wanted.imageUsage |= missing_usage(device, info);
    VkResult result = device->CreateSwapchainKHR(handle, &wanted, allocator, out);
    if (result != VK_SUCCESS && wanted.imageUsage != info->imageUsage) {
        wanted = *info;
        result = device->CreateSwapchainKHR(handle, info, allocator, out);
    }
    if (result == VK_SUCCESS) {
        add(device, &wanted, *out);
    }
    return result;
}

VkResult layer_create_shared_swapchains(VkDevice handle, uint32_t num,
                                        const VkSwapchainCreateInfoKHR *infos,
                                        const VkAllocationCallbacks *allocator, VkSwapchainKHR *out)
{
    struct layer_device *device = layer_device_of(handle);
    VkSwapchainCreateInfoKHR *wanted = calloc(num, sizeof(wanted[0]));
    layer_sender_make_room(device->sender);
    for (uint32_t i = 0; wanted && i < num; i++) {
        wanted[i] = infos[i];
        wanted[i].imageUsage |= missing_usage(device, &infos[i]);
    }
    const VkSwapchainCreateInfoKHR *made = wanted;
    VkResult result = wanted
                          ? device->CreateSharedSwapchainsKHR(handle, num, wanted, allocator, out)
                          : VK_ERROR_OUT_OF_HOST_MEMORY;
    if (result != VK_SUCCESS) {
        made = infos;
        result = device->CreateSharedSwapchainsKHR(handle, num, infos, allocator, out);
    }
    for (uint32_t i = 0; result == VK_SUCCESS && i < num; i++) {
        add(device, &made[i], out[i]);
    }
    free(wanted);
    return result;
}

void layer_destroy_swapchain(VkDevice handle, VkSwapchainKHR swapchain,
                             const VkAllocationCallbacks *allocator)
{
    struct layer_device *device = layer_device_of(handle);
    pthread_mutex_lock(&device->mutex);
    struct layer_swapchain *found = layer_swapchain_find(device, swapchain);
    if (found) {
        drop(device, found);
    }
    pthread_mutex_unlock(&device->mutex);
    device->DestroySwapchainKHR(handle, swapchain, allocator);
}

VkResult layer_create_image(VkDevice handle, const VkImageCreateInfo *info,
                            const VkAllocationCallbacks *allocator, VkImage *out)
{
    struct layer_device *device = layer_device_of(handle);
    const VkImageSwapchainCreateInfoKHR *shared = layer_chain_find(
        info->pNext, VK_STRUCTURE_TYPE_IMAGE_SWAPCHAIN_CREATE_INFO_KHR);
    VkImageCreateInfo wanted = *info;
    if (shared && shared->swapchain) {
        pthread_mutex_lock(&device->mutex);
        const struct layer_swapchain *swapchain = layer_swapchain_find(device, shared->swapchain);
        wanted.usage = swapchain ? swapchain->info.imageUsage : info->usage;
        pthread_mutex_unlock(&device->mutex);
    }
    return device->CreateImage(handle, &wanted, allocator, out);
}
