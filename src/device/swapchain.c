// SPDX-License-Identifier: MIT
// The images of a window: how they are made, acquired and presented.
#include <weir/swapchain.h>

#include "base/check.h"
#include "base/size.h"
#include "device/gpu.h"

enum { MAX_IMAGES = WEIR_SWAPCHAIN_MAX_IMAGES, MAX_FORMATS = 64 };

// sRGB, and the same texels as codes.
static const VkFormat pairs[][2] = {
    {VK_FORMAT_B8G8R8A8_SRGB, VK_FORMAT_B8G8R8A8_UNORM},
    {VK_FORMAT_R8G8B8A8_SRGB, VK_FORMAT_R8G8B8A8_UNORM},
    {VK_FORMAT_A8B8G8R8_SRGB_PACK32, VK_FORMAT_A8B8G8R8_UNORM_PACK32},
};
enum { NUM_PAIRS = sizeof(pairs) / sizeof(pairs[0]) };

#define DEVICE_PROC(gpu, name)                                                                     \
    ((PFN_vk##name)(gpu)->context.vk.GetDeviceProcAddr((gpu)->context.device, "vk" #name))

// A presentation is over at an unknown time.
static enum weir_result wait_idle(weir_gpu *gpu)
{
    weir_context_lock(&gpu->context, &gpu->queue);
    const VkResult result = DEVICE_PROC(gpu, DeviceWaitIdle)(gpu->context.device);
    weir_context_unlock(&gpu->context, &gpu->queue);
    return weir_vk_check(&gpu->context, result, "vkDeviceWaitIdle");
}

static enum weir_result get_capabilities(weir_gpu *gpu, VkSurfaceKHR surface,
                                         VkSurfaceCapabilitiesKHR *out)
{
    return weir_vk_check(&gpu->context,
                         WEIR_INSTANCE_PROC(gpu, GetPhysicalDeviceSurfaceCapabilitiesKHR)(
                             gpu->context.physical_device, surface, out),
                         "vkGetPhysicalDeviceSurfaceCapabilitiesKHR");
}

static enum weir_result choose_format(weir_gpu *gpu, bool prefers_srgb,
                                      struct weir_swapchain *swapchain)
{
    VkSurfaceFormatKHR formats[MAX_FORMATS];
    uint32_t num = MAX_FORMATS;
    const VkResult result = WEIR_INSTANCE_PROC(gpu, GetPhysicalDeviceSurfaceFormatsKHR)(
        gpu->context.physical_device, swapchain->surface, &num, formats);
    if (result != VK_INCOMPLETE) {
        WEIR_TRY(weir_vk_check(&gpu->context, result, "vkGetPhysicalDeviceSurfaceFormatsKHR"));
    }
    for (int i = 0; i < 2 * NUM_PAIRS; i++) {
        const bool is_srgb = (i < NUM_PAIRS) == prefers_srgb;
        const VkFormat wanted = pairs[i % NUM_PAIRS][is_srgb ? 0 : 1];
        for (uint32_t f = 0; f < num; f++) {
            if (formats[f].format == wanted &&
                formats[f].colorSpace == VK_COLOR_SPACE_SRGB_NONLINEAR_KHR) {
                swapchain->image.format = wanted;
                return WEIR_OK;
            }
        }
    }
    return weir_fail(&gpu->context.log, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_MISSING_FEATURE,
                     "the window offers no 8-bit sRGB format; try another device");
}

// Change the usage and flags of the images, if the device makes such: the surface may allow a usage
// that images of the format do not have.
static void widen(const weir_gpu *gpu, struct weir_image_params *image, VkImageUsageFlags usage,
                  VkImageCreateFlags flags)
{
    struct weir_image_params wanted = *image;
    VkImageFormatProperties limits;
    wanted.usage |= usage;
    wanted.flags |= flags;
    *image = weir_gpu_makes_images(gpu, &wanted, &limits) ? wanted : *image;
}

enum weir_result weir_swapchain_init(weir_gpu *gpu, const struct weir_swapchain_params *params,
                                     struct weir_swapchain *out)
{
    static const VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    const VkSurfaceKHR surface = params ? params->surface : VK_NULL_HANDLE;
    VkSurfaceCapabilitiesKHR can;
    WEIR_TRY(WEIR_CHECK_OUT(weir_gpu_log(gpu), out, gpu, params, surface));
    WEIR_FAIL_IF(!DEVICE_PROC(gpu, CreateSwapchainKHR), &gpu->context.log, WEIR_ERROR_UNSUPPORTED,
                 WEIR_LOG_CODE_MISSING_FEATURE,
                 "a window needs VK_KHR_swapchain: enable it on the device");
    out->surface = surface;
    out->is_stale = true;
    WEIR_TRY(choose_format(gpu, params->prefers_srgb, out));
    WEIR_TRY(get_capabilities(gpu, surface, &can));
    out->image.usage = params->usage;
    VkImageUsageFlags rest = params->optional_usage & can.supportedUsageFlags;
    for (; rest; rest &= rest - 1) {
        widen(gpu, &out->image, rest & (~rest + 1), 0);
    }
    if (gpu->has_mutable_swapchains && params->prefers_srgb) {
        widen(gpu, &out->image, 0, VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT);
    }
    for (int i = 0; i < MAX_IMAGES; i++) {
        WEIR_TRY(WEIR_VK_MAKE(&gpu->context, Semaphore, &info, &out->acquired[i]));
        WEIR_TRY(WEIR_VK_MAKE(&gpu->context, Semaphore, &info, &out->drawn[i]));
    }
    return WEIR_OK;
}

static enum weir_result make_swapchain(weir_gpu *gpu, const VkSurfaceCapabilitiesKHR *surface,
                                       struct weir_swapchain *swapchain)
{
    const VkDevice device = gpu->context.device;
    const struct weir_image_params *image = &swapchain->image;
    const VkFormat *views = pairs[0];
    for (int i = 0; i < NUM_PAIRS; i++) {
        views = pairs[i][0] == image->format || pairs[i][1] == image->format ? pairs[i] : views;
    }
    const VkImageFormatListCreateInfo list = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO,
        .viewFormatCount = 2,
        .pViewFormats = views,
    };
    const uint32_t most = surface->maxImageCount ? surface->maxImageCount : MAX_IMAGES;
    const VkCompositeAlphaFlagsKHR alpha = surface->supportedCompositeAlpha;
    const VkSwapchainCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR,
        .pNext = image->flags ? &list : NULL,
        .flags = image->flags ? VK_SWAPCHAIN_CREATE_MUTABLE_FORMAT_BIT_KHR : 0,
        .surface = swapchain->surface,
        .minImageCount = (uint32_t)weir_min(surface->minImageCount + 1, most),
        .imageFormat = image->format,
        .imageColorSpace = VK_COLOR_SPACE_SRGB_NONLINEAR_KHR,
        .imageExtent = {image->width, image->height},
        .imageArrayLayers = 1,
        .imageUsage = image->usage,
        .preTransform = surface->currentTransform,
        // The lowest flag that the surface has; opaque is the lowest of all.
        .compositeAlpha = (VkCompositeAlphaFlagBitsKHR)(alpha & (~alpha + 1)),
        .presentMode = VK_PRESENT_MODE_FIFO_KHR,
        .clipped = VK_FALSE, // a hidden part of the window may be recorded too
        .oldSwapchain = swapchain->swapchain,
    };
    VkSwapchainKHR made = VK_NULL_HANDLE;
    const enum weir_result result = weir_vk_check_made(
        &gpu->context, DEVICE_PROC(gpu, CreateSwapchainKHR)(device, &info, NULL, &made),
        "vkCreateSwapchainKHR", &made);
    DEVICE_PROC(gpu, DestroySwapchainKHR)(device, swapchain->swapchain, NULL);
    swapchain->swapchain = made;
    return result;
}

static uint32_t clamp(uint32_t x, uint32_t min, uint32_t max)
{
    return x < min ? min : x > max ? max : x;
}

enum weir_result weir_swapchain_resize(weir_gpu *gpu, struct weir_swapchain *swapchain,
                                       uint32_t width, uint32_t height)
{
    VkSurfaceCapabilitiesKHR can;
    WEIR_TRY(WEIR_CHECK_GIVEN(weir_gpu_log(gpu), gpu, swapchain));
    WEIR_TRY(wait_idle(gpu));
    WEIR_TRY(get_capabilities(gpu, swapchain->surface, &can));
    if (can.currentExtent.width != UINT32_MAX) { // else the swapchain decides
        width = can.currentExtent.width;
        height = can.currentExtent.height;
    }
    swapchain->image.width = clamp(width, can.minImageExtent.width, can.maxImageExtent.width);
    swapchain->image.height = clamp(height, can.minImageExtent.height, can.maxImageExtent.height);
    swapchain->num_images = 0;
    WEIR_TRY(make_swapchain(gpu, &can, swapchain));
    uint32_t num = MAX_IMAGES;
    WEIR_TRY(weir_vk_check(&gpu->context,
                           DEVICE_PROC(gpu, GetSwapchainImagesKHR)(
                               gpu->context.device, swapchain->swapchain, &num, swapchain->images),
                           "vkGetSwapchainImagesKHR"));
    swapchain->num_images = num;
    swapchain->is_stale = false;
    return WEIR_OK;
}

enum weir_result weir_swapchain_acquire(weir_gpu *gpu, struct weir_swapchain *swapchain)
{
    WEIR_TRY(WEIR_CHECK_GIVEN(weir_gpu_log(gpu), gpu, swapchain));
    if (swapchain->num_images == 0) {
        return WEIR_NOT_READY;
    }
    swapchain->available = swapchain->acquired[swapchain->num_acquired % MAX_IMAGES];
    const VkResult result = DEVICE_PROC(gpu, AcquireNextImageKHR)(
        gpu->context.device, swapchain->swapchain, UINT64_MAX, swapchain->available, VK_NULL_HANDLE,
        &swapchain->index);
    if (result == VK_ERROR_OUT_OF_DATE_KHR) {
        swapchain->is_stale = true;
        return WEIR_NOT_READY;
    }
    if (result != VK_SUBOPTIMAL_KHR) {
        WEIR_TRY(weir_vk_check(&gpu->context, result, "vkAcquireNextImageKHR"));
    }
    swapchain->num_acquired++;
    swapchain->presentable = swapchain->drawn[swapchain->index];
    return WEIR_OK;
}

enum weir_result weir_swapchain_present(weir_gpu *gpu, struct weir_swapchain *swapchain)
{
    WEIR_TRY(WEIR_CHECK_GIVEN(weir_gpu_log(gpu), gpu, swapchain));
    const VkPresentInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
                                   .waitSemaphoreCount = 1,
                                   .pWaitSemaphores = &swapchain->presentable,
                                   .swapchainCount = 1,
                                   .pSwapchains = &swapchain->swapchain,
                                   .pImageIndices = &swapchain->index};
    weir_context_lock(&gpu->context, &gpu->queue);
    const VkResult result = DEVICE_PROC(gpu, QueuePresentKHR)(gpu->queue.queue, &info);
    weir_context_unlock(&gpu->context, &gpu->queue);
    swapchain->is_stale = result == VK_ERROR_OUT_OF_DATE_KHR || result == VK_SUBOPTIMAL_KHR;
    return swapchain->is_stale ? WEIR_OK
                               : weir_vk_check(&gpu->context, result, "vkQueuePresentKHR");
}

void weir_swapchain_finish(weir_gpu *gpu, struct weir_swapchain *swapchain)
{
    if (!gpu || !swapchain || !swapchain->surface) {
        return;
    }
    wait_idle(gpu);
    DEVICE_PROC(gpu, DestroySwapchainKHR)(gpu->context.device, swapchain->swapchain, NULL);
    for (int i = 0; i < MAX_IMAGES; i++) {
        gpu->context.vk.DestroySemaphore(gpu->context.device, swapchain->acquired[i], NULL);
        gpu->context.vk.DestroySemaphore(gpu->context.device, swapchain->drawn[i], NULL);
    }
    *swapchain = (struct weir_swapchain){0};
}
