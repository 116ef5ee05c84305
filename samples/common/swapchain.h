// SPDX-License-Identifier: MIT
// The window's images. They are rendered, read by Weir in place, and presented.
#ifndef SAMPLE_SWAPCHAIN_H
#define SAMPLE_SWAPCHAIN_H

#include "gpu.h"

#define SWAPCHAIN_MAX_IMAGES 16

struct swapchain {
    struct gpu *gpu;
    VkSurfaceKHR surface;
    VkSurfaceFormatKHR format;
    VkSwapchainCreateFlagsKHR flags;
    VkImageUsageFlags usage;

    VkSwapchainKHR swapchain;
    uint32_t width, height;
    struct gpu_image images[SWAPCHAIN_MAX_IMAGES];
    // One an image: a present may still wait for it when the next image is already presented.
    VkSemaphore presentable[SWAPCHAIN_MAX_IMAGES];
};

// Choose format and usage, which stay the same for every size. The device owns what is made.
bool swapchain_init(struct gpu *gpu, VkSurfaceKHR surface, struct swapchain *swapchain);

// Make the images anew, in the surface's size, or in the given size if the surface leaves the
// choice. The images before were released.
bool swapchain_resize(struct swapchain *swapchain, uint32_t width, uint32_t height);

#endif
