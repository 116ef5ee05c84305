// SPDX-License-Identifier: MIT
// The window's images. They are rendered, read by Weir in place, and presented.
#include "presenter.h"

#include "report.h"

#define MAX_FORMATS 64

// The UNORM format with the same texels, for the view through which stored codes are read.
static VkFormat unorm_of(VkFormat format)
{
    switch (format) {
    case VK_FORMAT_B8G8R8A8_SRGB:
        return VK_FORMAT_B8G8R8A8_UNORM;
    case VK_FORMAT_R8G8B8A8_SRGB:
        return VK_FORMAT_R8G8B8A8_UNORM;
    case VK_FORMAT_A8B8G8R8_SRGB_PACK32:
        return VK_FORMAT_A8B8G8R8_UNORM_PACK32;
    default:
        return VK_FORMAT_UNDEFINED;
    }
}

// Choose the format. sRGB comes first, so that blending and resolving happen in linear light.
static bool choose_format(struct swapchain *swapchain)
{
    static const VkFormat wanted[] = {
        VK_FORMAT_B8G8R8A8_SRGB,  VK_FORMAT_R8G8B8A8_SRGB,  VK_FORMAT_A8B8G8R8_SRGB_PACK32,
        VK_FORMAT_B8G8R8A8_UNORM, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_A8B8G8R8_UNORM_PACK32,
    };
    VkSurfaceFormatKHR formats[MAX_FORMATS];
    uint32_t num = MAX_FORMATS;
    VkResult result = vkGetPhysicalDeviceSurfaceFormatsKHR(swapchain->gpu->physical_device,
                                                           swapchain->surface, &num, formats);
    if (result != VK_INCOMPLETE && !vulkan_ok(result, "vkGetPhysicalDeviceSurfaceFormatsKHR")) {
        return false;
    }
    for (size_t w = 0; w < sizeof(wanted) / sizeof(wanted[0]); ++w) {
        for (uint32_t i = 0; i < num; ++i) {
            if (formats[i].format == wanted[w] &&
                formats[i].colorSpace == VK_COLOR_SPACE_SRGB_NONLINEAR_KHR) {
                swapchain->format = formats[i];
                return true;
            }
        }
    }
    return report("the window offers no 8-bit sRGB format");
}

static bool get_capabilities(const struct swapchain *swapchain, VkSurfaceCapabilitiesKHR *out)
{
    return vulkan_ok(vkGetPhysicalDeviceSurfaceCapabilitiesKHR(swapchain->gpu->physical_device,
                                                               swapchain->surface, out),
                     "vkGetPhysicalDeviceSurfaceCapabilitiesKHR");
}

// The surface may allow a usage that images of this format do not have.
static bool usage_is_possible(const struct swapchain *swapchain, VkImageUsageFlags usage,
                              VkImageCreateFlags flags)
{
    VkImageFormatProperties properties;
    return vkGetPhysicalDeviceImageFormatProperties(
               swapchain->gpu->physical_device, swapchain->format.format, VK_IMAGE_TYPE_2D,
               VK_IMAGE_TILING_OPTIMAL, usage, flags, &properties) == VK_SUCCESS;
}

static void destroy(struct gpu *gpu, void *swapchain)
{
    vkDestroySwapchainKHR(gpu->device, ((struct swapchain *)swapchain)->swapchain, NULL);
}

bool swapchain_init(struct gpu *gpu, VkSurfaceKHR surface, struct swapchain *swapchain)
{
    VkSurfaceCapabilitiesKHR surface_can;
    *swapchain = (struct swapchain){.gpu = gpu, .surface = surface};
    gpu_own(gpu, destroy, swapchain);
    if (!choose_format(swapchain) || !get_capabilities(swapchain, &surface_can)) {
        return false;
    }
    swapchain->usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
    static const VkImageUsageFlags wanted[2] = {VK_IMAGE_USAGE_SAMPLED_BIT,
                                                VK_IMAGE_USAGE_TRANSFER_SRC_BIT};
    for (int i = 0; i < 2; ++i) {
        if ((surface_can.supportedUsageFlags & wanted[i]) &&
            usage_is_possible(swapchain, swapchain->usage | wanted[i], 0)) {
            swapchain->usage |= wanted[i];
        }
    }
    // Weir refuses an image without either flag, and logs the reason.
    if (gpu->mutable_swapchain && unorm_of(swapchain->format.format) &&
        usage_is_possible(swapchain, swapchain->usage, VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT)) {
        swapchain->flags = VK_SWAPCHAIN_CREATE_MUTABLE_FORMAT_BIT_KHR;
    }
    return true;
}

static uint32_t clamp(uint32_t x, uint32_t min, uint32_t max)
{
    return x < min ? min : x > max ? max : x;
}

static bool make_swapchain(struct swapchain *swapchain, const VkSurfaceCapabilitiesKHR *surface)
{
    const VkFormat formats[2] = {swapchain->format.format, unorm_of(swapchain->format.format)};
    const VkImageFormatListCreateInfo list = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO,
        .viewFormatCount = 2,
        .pViewFormats = formats,
    };
    const uint32_t most = surface->maxImageCount ? surface->maxImageCount : SWAPCHAIN_MAX_IMAGES;
    const VkCompositeAlphaFlagsKHR alpha = surface->supportedCompositeAlpha;
    const VkSwapchainCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR,
        .pNext = swapchain->flags ? &list : NULL,
        .flags = swapchain->flags,
        .surface = swapchain->surface,
        .minImageCount = clamp(surface->minImageCount + 1, 1, most),
        .imageFormat = swapchain->format.format,
        .imageColorSpace = swapchain->format.colorSpace,
        .imageExtent = {swapchain->width, swapchain->height},
        .imageArrayLayers = 1,
        .imageUsage = swapchain->usage,
        .imageSharingMode = VK_SHARING_MODE_EXCLUSIVE,
        .preTransform = surface->currentTransform,
        // The lowest flag that the surface has; opaque is the lowest of all.
        .compositeAlpha = (VkCompositeAlphaFlagBitsKHR)(alpha & (~alpha + 1)),
        .presentMode = VK_PRESENT_MODE_FIFO_KHR,
        .clipped = VK_FALSE, // a hidden part of the window is recorded too
        .oldSwapchain = swapchain->swapchain,
    };
    VkSwapchainKHR made = VK_NULL_HANDLE;
    const bool ok = vulkan_made(vkCreateSwapchainKHR(swapchain->gpu->device, &info, NULL, &made),
                                "vkCreateSwapchainKHR", &made);
    vkDestroySwapchainKHR(swapchain->gpu->device, swapchain->swapchain, NULL);
    swapchain->swapchain = made;
    return ok;
}

static bool make_images(struct swapchain *swapchain)
{
    struct gpu *gpu = swapchain->gpu;
    VkImage images[SWAPCHAIN_MAX_IMAGES];
    uint32_t num = SWAPCHAIN_MAX_IMAGES;
    if (!vulkan_ok(vkGetSwapchainImagesKHR(gpu->device, swapchain->swapchain, &num, images),
                   "vkGetSwapchainImagesKHR")) {
        return false;
    }
    bool ok = true;
    for (uint32_t i = 0; ok && i < num; ++i) {
        const struct weir_image_params params = {
            .image = images[i],
            .format = swapchain->format.format,
            .width = swapchain->width,
            .height = swapchain->height,
            .usage = swapchain->usage,
            .flags = swapchain->flags ? VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT : 0,
        };
        ok = gpu_semaphore_init(gpu, &swapchain->presentable[i]) &&
             gpu_image_init(gpu, &params, 0, &swapchain->images[i]);
    }
    return ok;
}

bool swapchain_resize(struct swapchain *swapchain, uint32_t width, uint32_t height)
{
    VkSurfaceCapabilitiesKHR surface;
    if (!get_capabilities(swapchain, &surface)) {
        return false;
    }
    const bool free_choice = surface.currentExtent.width == UINT32_MAX;
    swapchain->width = clamp(free_choice ? width : surface.currentExtent.width,
                             surface.minImageExtent.width, surface.maxImageExtent.width);
    swapchain->height = clamp(free_choice ? height : surface.currentExtent.height,
                              surface.minImageExtent.height, surface.maxImageExtent.height);
    return make_swapchain(swapchain, &surface) && make_images(swapchain);
}
