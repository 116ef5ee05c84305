// SPDX-License-Identifier: MIT
// Swapchains: images of the driver's that are shown nowhere.
#include "tests/e2e/record/stand_in/swapchain.h"

#include <stdlib.h>

#include "tests/e2e/record/stand_in/extensions.h"

static VkImageCreateInfo image_info(const VkSwapchainCreateInfoKHR *info)
{
    return (VkImageCreateInfo){
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .imageType = VK_IMAGE_TYPE_2D,
        .format = info->imageFormat,
        .extent = {info->imageExtent.width, info->imageExtent.height, 1},
        .mipLevels = 1,
        .arrayLayers = info->imageArrayLayers,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .tiling = VK_IMAGE_TILING_OPTIMAL,
        .usage = info->imageUsage,
        .sharingMode = info->imageSharingMode,
        .queueFamilyIndexCount = info->queueFamilyIndexCount,
        .pQueueFamilyIndices = info->pQueueFamilyIndices,
    };
}

// True if the driver makes such images, of no flags.
static bool is_possible(const struct stand_in_device *device, const VkSwapchainCreateInfoKHR *info)
{
    VkImageFormatProperties limits;
    return info->flags == 0 && info->minImageCount <= STAND_IN_MAX_IMAGES &&
           device->instance->GetPhysicalDeviceImageFormatProperties(
               device->physical, info->imageFormat, VK_IMAGE_TYPE_2D, VK_IMAGE_TILING_OPTIMAL,
               info->imageUsage, 0, &limits) == VK_SUCCESS &&
           info->imageExtent.width <= limits.maxExtent.width &&
           info->imageExtent.height <= limits.maxExtent.height &&
           info->imageArrayLayers <= limits.maxArrayLayers;
}

// Find a type of memory, on the device where there is one.
static uint32_t find_memory(const struct stand_in_device *device, uint32_t types)
{
    VkPhysicalDeviceMemoryProperties memory;
    uint32_t any = 0;
    device->instance->GetPhysicalDeviceMemoryProperties(device->physical, &memory);
    for (uint32_t i = memory.memoryTypeCount; i-- > 0;) {
        if (types & (1u << i)) {
            any = i;
        }
    }
    for (uint32_t i = 0; i < memory.memoryTypeCount; i++) {
        if ((types & (1u << i)) &&
            (memory.memoryTypes[i].propertyFlags & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT)) {
            return i;
        }
    }
    return any;
}

static VkResult create_image(const struct stand_in_device *device, const VkImageCreateInfo *info,
                             struct stand_in_image *image)
{
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    VkResult result = device->CreateFence(device->handle, &fence, NULL, &image->shown);
    if (result == VK_SUCCESS) {
        result = device->CreateImage(device->handle, info, NULL, &image->handle);
    }
    if (result != VK_SUCCESS) {
        return result;
    }
    VkMemoryRequirements needs;
    device->GetImageMemoryRequirements(device->handle, image->handle, &needs);
    const VkMemoryAllocateInfo memory = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .allocationSize = needs.size,
        .memoryTypeIndex = find_memory(device, needs.memoryTypeBits),
    };
    result = device->AllocateMemory(device->handle, &memory, NULL, &image->memory);
    if (result == VK_SUCCESS) {
        result = device->BindImageMemory(device->handle, image->handle, image->memory, 0);
    }
    return result;
}

static void destroy(const struct stand_in_device *device, struct stand_in_swapchain *swapchain)
{
    for (uint32_t i = 0; i < swapchain->num_images; i++) {
        const struct stand_in_image *image = &swapchain->images[i];
        if (image->state == STAND_IN_PRESENTED) {
            device->WaitForFences(device->handle, 1, &image->shown, VK_TRUE, UINT64_MAX);
        }
        device->DestroyImage(device->handle, image->handle, NULL);
        device->FreeMemory(device->handle, image->memory, NULL);
        device->DestroyFence(device->handle, image->shown, NULL);
    }
    stand_in_surface_disown(swapchain->surface, swapchain);
    free(swapchain);
}

// Get the time between two images that are shown. Only those that wait for the display have a pace,
// and only if the environment has one.
static int64_t period_of(VkPresentModeKHR mode)
{
    const char *text = getenv("WEIR_STAND_IN_HZ");
    const double rate = text ? strtod(text, NULL) : 0;
    return mode == VK_PRESENT_MODE_FIFO_KHR && rate > 0 ? (int64_t)(1e9 / rate) : 0;
}

VkResult stand_in_create_swapchain(VkDevice handle, const VkSwapchainCreateInfoKHR *info,
                                   const VkAllocationCallbacks *allocator, VkSwapchainKHR *out)
{
    (void)allocator;
    struct stand_in_device *device = stand_in_device_of(handle);
    struct stand_in_surface *surface = stand_in_surface_of(info->surface);
    struct stand_in_swapchain *swapchain = calloc(1, sizeof(*swapchain));
    const struct stand_in_swapchain *old = stand_in_swapchain_of(info->oldSwapchain);
    const VkImageCreateInfo image = image_info(info);
    if (!swapchain || !stand_in_surface_own(surface, swapchain, old)) {
        free(swapchain);
        return swapchain ? VK_ERROR_NATIVE_WINDOW_IN_USE_KHR : VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    swapchain->surface = surface;
    swapchain->period_ns = period_of(info->presentMode);
    const uint32_t num = info->minImageCount > STAND_IN_MIN_IMAGES ? info->minImageCount
                                                                   : STAND_IN_MIN_IMAGES;
    VkResult result = is_possible(device, info) ? VK_SUCCESS : VK_ERROR_INITIALIZATION_FAILED;
    while (result == VK_SUCCESS && swapchain->num_images < num) {
        result = create_image(device, &image, &swapchain->images[swapchain->num_images++]);
    }
    if (result != VK_SUCCESS) {
        destroy(device, swapchain);
        return result;
    }
    *out = (VkSwapchainKHR)(uintptr_t)swapchain;
    return VK_SUCCESS;
}

void stand_in_destroy_swapchain(VkDevice handle, VkSwapchainKHR swapchain,
                                const VkAllocationCallbacks *allocator)
{
    (void)allocator;
    if (swapchain) {
        destroy(stand_in_device_of(handle), stand_in_swapchain_of(swapchain));
    }
}

VkResult stand_in_get_swapchain_images(VkDevice handle, VkSwapchainKHR swapchain, uint32_t *count,
                                       VkImage *out)
{
    (void)handle;
    const struct stand_in_swapchain *found = stand_in_swapchain_of(swapchain);
    VkImage images[STAND_IN_MAX_IMAGES];
    for (uint32_t i = 0; i < found->num_images; i++) {
        images[i] = found->images[i].handle;
    }
    return stand_in_copy(images, found->num_images, sizeof(images[0]), count, out);
}

VkResult stand_in_get_group_capabilities(VkDevice handle, VkDeviceGroupPresentCapabilitiesKHR *out)
{
    (void)handle;
    for (uint32_t i = 0; i < VK_MAX_DEVICE_GROUP_SIZE; i++) {
        out->presentMask[i] = i == 0;
    }
    out->modes = VK_DEVICE_GROUP_PRESENT_MODE_LOCAL_BIT_KHR;
    return VK_SUCCESS;
}

VkResult stand_in_get_group_surface_modes(VkDevice handle, VkSurfaceKHR surface,
                                          VkDeviceGroupPresentModeFlagsKHR *out)
{
    (void)handle, (void)surface;
    *out = VK_DEVICE_GROUP_PRESENT_MODE_LOCAL_BIT_KHR;
    return VK_SUCCESS;
}
