// SPDX-License-Identifier: MIT
// The swapchain of a window.
#include "window.h"

#include "extensions.h"

#include <vulkan/vulkan_core.h>

enum { MAX_FORMATS = 256, MAX_MODES = 16, WANTED_IMAGES = 3 };

static void check_format(const struct window *window, const struct gpu *gpu,
                         const struct options *options)
{
    static VkSurfaceFormatKHR formats[MAX_FORMATS];
    uint32_t num = MAX_FORMATS;
    vkGetPhysicalDeviceSurfaceFormatsKHR(gpu->physical, window->surface, &num, formats);
    for (uint32_t i = 0; i < num; i++) {
        if (formats[i].format == (VkFormat)options->format &&
            formats[i].colorSpace == (VkColorSpaceKHR)options->color_space) {
            return;
        }
    }
    gpu_skip("the surface has no such format");
}

static VkPresentModeKHR choose_mode(const struct window *window, const struct gpu *gpu,
                                    bool is_immediate)
{
    VkPresentModeKHR modes[MAX_MODES];
    uint32_t num = MAX_MODES;
    vkGetPhysicalDeviceSurfacePresentModesKHR(gpu->physical, window->surface, &num, modes);
    for (uint32_t i = 0; i < num && is_immediate; i++) {
        if (modes[i] == VK_PRESENT_MODE_IMMEDIATE_KHR) {
            return modes[i];
        }
    }
    return VK_PRESENT_MODE_FIFO_KHR;
}

static void destroy_images(struct window *window, const struct gpu *gpu)
{
    for (uint32_t i = 0; i < window->num_images; i++) {
        vkDestroyFramebuffer(gpu->device, window->framebuffers[i], NULL);
        vkDestroyImageView(gpu->device, window->views[i], NULL);
        if (window->has_own_images) {
            vkDestroyImage(gpu->device, window->images[i], NULL);
        }
        window->framebuffers[i] = VK_NULL_HANDLE;
        window->views[i] = VK_NULL_HANDLE;
    }
    window->num_images = 0;
}

// vkBasalt 0.3.2 crashes where it is given none, which is allowed.
static void destroy_swapchain(VkSwapchainKHR swapchain, const struct gpu *gpu)
{
    if (swapchain) {
        vkDestroySwapchainKHR(gpu->device, swapchain, NULL);
    }
}

void window_prepare_image(struct window *window, const struct gpu *gpu,
                          const struct options *options, VkRenderPass pass)
{
    const uint32_t i = window->image;
    if (window->views[i]) {
        return;
    }
    const VkImageViewCreateInfo view = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = window->images[i],
        .viewType = VK_IMAGE_VIEW_TYPE_2D,
        .format = (VkFormat)options->format,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1},
    };
    gpu_check(vkCreateImageView(gpu->device, &view, NULL, &window->views[i]), "vkCreateImageView");
    const VkFramebufferCreateInfo framebuffer = {
        .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
        .renderPass = pass,
        .attachmentCount = 1,
        .pAttachments = &window->views[i],
        .width = window->extent.width,
        .height = window->extent.height,
        .layers = 1,
    };
    gpu_check(vkCreateFramebuffer(gpu->device, &framebuffer, NULL, &window->framebuffers[i]),
              "vkCreateFramebuffer");
}

// An image that shares the memory of one of the swapchain's.
static void share_image(struct window *window, const struct gpu *gpu,
                        const VkSwapchainCreateInfoKHR *swapchain, uint32_t i)
{
    const VkImageSwapchainCreateInfoKHR of = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_SWAPCHAIN_CREATE_INFO_KHR,
        .swapchain = window->swapchain,
    };
    const VkImageCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .pNext = &of,
        .imageType = VK_IMAGE_TYPE_2D,
        .format = swapchain->imageFormat,
        .extent = {swapchain->imageExtent.width, swapchain->imageExtent.height, 1},
        .mipLevels = 1,
        .arrayLayers = 1,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .usage = swapchain->imageUsage,
        .sharingMode = swapchain->imageSharingMode,
        .queueFamilyIndexCount = swapchain->queueFamilyIndexCount,
        .pQueueFamilyIndices = swapchain->pQueueFamilyIndices,
    };
    gpu_check(vkCreateImage(gpu->device, &info, NULL, &window->images[i]), "vkCreateImage");
    const VkBindImageMemorySwapchainInfoKHR place = {
        .sType = VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_SWAPCHAIN_INFO_KHR,
        .swapchain = window->swapchain,
        .imageIndex = i,
    };
    const VkBindImageMemoryInfo bind = {
        .sType = VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_INFO,
        .pNext = &place,
        .image = window->images[i],
    };
    gpu_check(vkBindImageMemory2(gpu->device, 1, &bind), "vkBindImageMemory2");
}

static void create_swapchain(const struct gpu *gpu, const struct options *options,
                             const VkSwapchainCreateInfoKHR *info, VkSwapchainKHR *out)
{
    if (options->has_shared_call) {
        const PFN_vkCreateSharedSwapchainsKHR create = (PFN_vkCreateSharedSwapchainsKHR)
            vkGetDeviceProcAddr(gpu->device, "vkCreateSharedSwapchainsKHR");
        gpu_check(create(gpu->device, 1, info, NULL, out), "vkCreateSharedSwapchainsKHR");
    } else {
        gpu_check(vkCreateSwapchainKHR(gpu->device, info, NULL, out), "vkCreateSwapchainKHR");
    }
}

void window_make_swapchain(struct window *window, const struct gpu *gpu,
                           const struct options *options)
{
    VkSurfaceCapabilitiesKHR can;
    check_format(window, gpu, options);
    gpu_check(vkGetPhysicalDeviceSurfaceCapabilitiesKHR(gpu->physical, window->surface, &can),
              "vkGetPhysicalDeviceSurfaceCapabilitiesKHR");
    if (can.currentExtent.width != UINT32_MAX) {
        window->extent = can.currentExtent;
    }
    destroy_images(window, gpu);
    if (options->no_old_swapchain) {
        destroy_swapchain(window->swapchain, gpu);
        window->swapchain = VK_NULL_HANDLE;
    }
    const VkSwapchainKHR old = window->swapchain;
    const uint32_t num_wanted = can.minImageCount > WANTED_IMAGES ? can.minImageCount
                                                                  : WANTED_IMAGES;
    const bool is_shared = gpu->families[0] != gpu->families[1];
    const VkSwapchainCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR,
        .pNext = options->has_extensions ? extensions_of_swapchain(gpu) : NULL,
        .surface = window->surface,
        .minImageCount = can.maxImageCount > 0 && num_wanted > can.maxImageCount ? can.maxImageCount
                                                                                 : num_wanted,
        .imageFormat = (VkFormat)options->format,
        .imageColorSpace = (VkColorSpaceKHR)options->color_space,
        .imageExtent = window->extent,
        .imageArrayLayers = 1,
        .imageUsage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
        .imageSharingMode = is_shared ? VK_SHARING_MODE_CONCURRENT : VK_SHARING_MODE_EXCLUSIVE,
        .queueFamilyIndexCount = is_shared ? 2 : 0,
        .pQueueFamilyIndices = gpu->families,
        .preTransform = can.currentTransform,
        .compositeAlpha = can.supportedCompositeAlpha & VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR
                              ? VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR
                              : VK_COMPOSITE_ALPHA_INHERIT_BIT_KHR,
        .presentMode = choose_mode(window, gpu, options->is_immediate),
        .clipped = VK_TRUE,
        .oldSwapchain = old,
    };
    create_swapchain(gpu, options, &info, &window->swapchain);
    destroy_swapchain(old, gpu);
    uint32_t num = MAX_IMAGES;
    gpu_check(vkGetSwapchainImagesKHR(gpu->device, window->swapchain, &num, window->images),
              "vkGetSwapchainImagesKHR");
    window->has_own_images = options->has_shared_images;
    for (; window->num_images < num; window->num_images++) {
        if (window->has_own_images) {
            share_image(window, gpu, &info, window->num_images);
        }
    }
}

void window_close(struct window *window, const struct gpu *gpu)
{
    destroy_images(window, gpu);
    destroy_swapchain(window->swapchain, gpu);
    vkDestroySurfaceKHR(gpu->instance, window->surface, NULL);
}
