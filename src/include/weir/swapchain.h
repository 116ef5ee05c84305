// SPDX-License-Identifier: MIT
// The images of a window (libweir-device), for programs without such code.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <vulkan/vulkan_core.h>

#include <weir/gpu.h>

struct weir_swapchain_params {
    const char *debug_tag;
    VkSurfaceKHR surface;    // required, and borrowed: such as weir_device_get_surface() returns
    VkImageUsageFlags usage; // required: of the images
    // Further usage, each flag where the surface and the format allow it.
    VkImageUsageFlags optional_usage;
    // sRGB formats are preferred, which encode what is drawn. Else those that store codes as they
    // are.
    bool prefers_srgb;
};
#define weir_swapchain_params(...) WEIR_PARAMS(weir_swapchain_params, __VA_ARGS__)

#define WEIR_SWAPCHAIN_MAX_IMAGES 16

// The images of a window, in 8-bit sRGB colours, one for each refresh (FIFO). Read-only fields.
// Finishing a zeroed struct does nothing.
struct weir_swapchain {
    // Of each image, without `image`. The format and usage stay the same for every size.
    // With `prefers_srgb` VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT is set if
    // VK_KHR_swapchain_mutable_format is enabled.
    struct weir_image_params image;
    uint32_t num_images;
    VkImage images[WEIR_SWAPCHAIN_MAX_IMAGES];
    bool is_stale; // the surface has changed: weir_swapchain_resize() is due

    // Of the image that was acquired. Both semaphores are binary.
    uint32_t index;
    VkSemaphore available;   // signalled when the image may be drawn
    VkSemaphore presentable; // to be signalled when it has been drawn

    // For the calls below.
    VkSurfaceKHR surface;
    VkSwapchainKHR swapchain;
    uint64_t num_acquired;
    VkSemaphore acquired[WEIR_SWAPCHAIN_MAX_IMAGES], drawn[WEIR_SWAPCHAIN_MAX_IMAGES];
};

// Choose the format and usage, for a `gpu` whose queue presents to the surface. It has no images
// before weir_swapchain_resize(). Call weir_swapchain_finish() after an error too.
// Errors: WEIR_ERROR_INVALID, WEIR_ERROR_UNSUPPORTED (VK_KHR_swapchain is not enabled, no such
// format), WEIR_ERROR_OUT_OF_MEMORY, WEIR_ERROR_VULKAN.
WEIR_API enum weir_result weir_swapchain_init(weir_gpu *gpu,
                                              const struct weir_swapchain_params *params,
                                              struct weir_swapchain *out);

// Wait until the device is idle, and make the images in the size of the surface, or in the given
// size if the surface leaves the choice. Those before are destroyed. Errors: as
// weir_swapchain_init(), and WEIR_ERROR_DEVICE_LOST.
WEIR_API enum weir_result weir_swapchain_resize(weir_gpu *gpu, struct weir_swapchain *swapchain,
                                                uint32_t width, uint32_t height);

// Acquire the next image, for at most WEIR_SWAPCHAIN_MAX_IMAGES submissions at a time that wait for
// `available`. Returns WEIR_NOT_READY where there is no image: the surface has changed. Errors:
// as weir_swapchain_resize().
WEIR_API enum weir_result weir_swapchain_acquire(weir_gpu *gpu, struct weir_swapchain *swapchain);

// Present the image that was acquired, which is in VK_IMAGE_LAYOUT_PRESENT_SRC_KHR when
// `presentable` is signalled. Errors: as weir_swapchain_resize().
WEIR_API enum weir_result weir_swapchain_present(weir_gpu *gpu, struct weir_swapchain *swapchain);

// Wait until the device is idle, destroy the images, and zero the struct.
WEIR_API void weir_swapchain_finish(weir_gpu *gpu, struct weir_swapchain *swapchain);
