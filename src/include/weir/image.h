// SPDX-License-Identifier: MIT
// An image of the host, wrapped once for every module that reads or writes it.
#ifndef WEIR_IMAGE_H
#define WEIR_IMAGE_H

#include <stdbool.h>
#include <stdint.h>
#include <vulkan/vulkan_core.h>

#include <weir/context.h>
#include <weir/result.h>

#ifdef __cplusplus
extern "C" {
#endif

// How the numbers in an image relate to what a display shows. docs/color.md has the whole story.
enum weir_transfer {
    WEIR_TRANSFER_DEFAULT = 0, // by format: *_SRGB and *_UNORM are CODES, *_SFLOAT is LINEAR
    WEIR_TRANSFER_CODES = 1,   // stored values are display-referred code values: taken as they are
    WEIR_TRANSFER_LINEAR = 2,  // linear light, 1.0 is display white (scRGB): clipped, sRGB-encoded
};

// A borrowed VkImage, and the views and descriptors by which kernels read and write it. Immutable;
// may be used by several command buffers at a time.
typedef struct weir_image weir_image;

// All pointers are read during weir_image_create() only.
struct weir_image_params {
    const char *debug_tag;
    VkImage image; // required. Borrowed until the weir_image is destroyed
    // As given to vkCreateImage or to the swapchain. Required. The module that uses the image says
    // which formats it takes: weir/encode.h, weir/pyramid.h, weir/palette.h.
    VkFormat format;
    uint32_t width, height; // of level 0 [texels]. Required, 1 .. maxImageDimension2D
    uint32_t levels;        // of the image. 0 = 1
    uint32_t layers;        // of the image. 0 = 1
    // As given to vkCreateImage. Required. SAMPLED: kernels read the image itself. With TRANSFER_SRC
    // but neither SAMPLED nor STORAGE, frames are copied on the GPU to an image of Weir's own before
    // kernels read them: slower, logged as WEIR_LOG_CODE_FALLBACK, for one level and one layer only.
    VkImageUsageFlags usage;
    // As given to vkCreateImage. With MUTABLE_FORMAT an SRGB image is read through its UNORM view
    // (the format list, if there is one, must hold that format); else values are decoded on load and
    // encoded again in the kernel, which gives the same codes.
    VkImageCreateFlags flags;
    bool concurrent; // VK_SHARING_MODE_CONCURRENT over the host's and Weir's queue families
    enum weir_transfer transfer;
};
#define weir_image_params(...) WEIR_PARAMS(weir_image_params, __VA_ARGS__)

// Wrap an image: once for each swapchain image, again after the swapchain was made anew.
// Errors: WEIR_ERROR_INVALID, WEIR_ERROR_UNSUPPORTED (usage), WEIR_ERROR_OUT_OF_MEMORY,
// WEIR_ERROR_VULKAN.
// Thread safety: any thread.
WEIR_API enum weir_result weir_image_create(weir_context *context,
                                            const struct weir_image_params *params,
                                            weir_image **out);

// The image must not be in use by the GPU. NULL is allowed; sets `*image` to NULL.
WEIR_API void weir_image_destroy(weir_image **image);

// The params that the image was made with, defaults filled in; debug_tag is NULL. All zero for NULL.
// Thread-safe.
WEIR_API struct weir_image_params weir_image_get_params(const weir_image *image);

#ifdef __cplusplus
}
#endif
#endif
