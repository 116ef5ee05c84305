// SPDX-License-Identifier: MIT
// A wrapper for an image of the host. Wrap an image once; every module accepts the wrapper.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <vulkan/vulkan_core.h>

#include <weir/context.h>
#include <weir/result.h>

// The meaning of the values in an image: display codes, or linear light. docs/color.md explains it.
enum weir_transfer {
    WEIR_TRANSFER_DEFAULT = 0, // by the format: *_SRGB and *_UNORM as CODES, *_SFLOAT as LINEAR
    WEIR_TRANSFER_CODES = 1,   // display-referred code values, which are encoded unchanged
    // Linear light, where 1.0 is display white (scRGB). Except for BC6H, values are clipped to 0 ..
    // 1 and sRGB-encoded first.
    WEIR_TRANSFER_LINEAR = 2,
};

// A borrowed VkImage, with the views and descriptors by which kernels read and write it. Immutable:
// several threads may use it at a time, each for its own command buffer.
typedef struct weir_image weir_image;

// All pointers are read during weir_image_create() only.
struct weir_image_params {
    const char *debug_tag;
    VkImage image; // required. Borrowed until the weir_image is destroyed
    // Required: the format given to vkCreateImage or to the swapchain. weir/encode.h,
    // weir/pyramid.h and weir/palette.h say which formats each module reads.
    VkFormat format;
    uint32_t width, height; // of mip level 0 [texels]. Required, 1 .. maxImageDimension2D
    uint32_t levels;        // number of mip levels. 0 = 1
    uint32_t layers;        // number of array layers. 0 = 1
    // Required: the usage given to vkCreateImage or to the swapchain. With SAMPLED, kernels read
    // the image itself. With TRANSFER_SRC but neither SAMPLED nor STORAGE, each frame is first
    // copied on the GPU: slower, logged as WEIR_LOG_CODE_FALLBACK, and possible only for images of
    // one level and one layer.
    VkImageUsageFlags usage;
    // The flags given to vkCreateImage. With MUTABLE_FORMAT an SRGB image is read through a UNORM
    // view, and pyramids read R16G16_SFLOAT through a view in R32_UINT, R16G16B16A16_SFLOAT in
    // R32G32_UINT; the image's format list, if it has one, must contain that format. Without
    // MUTABLE_FORMAT the hardware decodes the values and the kernel encodes them again, with the
    // same result.
    VkImageCreateFlags flags;
    bool concurrent; // VK_SHARING_MODE_CONCURRENT, with the host's and Weir's queue families
    enum weir_transfer transfer;
};
#define weir_image_params(...) WEIR_PARAMS(weir_image_params, __VA_ARGS__)

// Wrap an image. Wrap each image of a swapchain once, and again after the swapchain was recreated.
// Errors: WEIR_ERROR_INVALID, WEIR_ERROR_UNSUPPORTED (usage), WEIR_ERROR_OUT_OF_MEMORY,
// WEIR_ERROR_VULKAN.
// Thread safety: any thread.
WEIR_API enum weir_result weir_image_create(weir_context *context,
                                            const struct weir_image_params *params,
                                            weir_image **out);

// Destroy the wrapper of an image, which the GPU must not be using. NULL is allowed; sets `*image`
// to NULL.
WEIR_API void weir_image_destroy(weir_image **image);

// Get the params that the image was wrapped with, defaults filled in; debug_tag is NULL. In formats
// that no encoder and no palette reads, `transfer` has no meaning and stays as it was given. All
// fields are zero for NULL. Thread-safe.
WEIR_API struct weir_image_params weir_image_get_params(const weir_image *image);
