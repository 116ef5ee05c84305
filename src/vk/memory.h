// SPDX-License-Identifier: MIT
// Buffers and images of Weir's own, each with a dedicated allocation: few, large and long-lived.
#pragma once

#include <weir/image.h>

#include "vk/context.h"

struct weir_vk_buffer {
    VkBuffer buffer;
    VkDeviceMemory memory;
    uint8_t *mapped; // NULL unless the memory is one that stays mapped
    bool coherent;   // a mapped buffer needs neither of the next two
};

enum weir_vk_memory {
    WEIR_VK_MEMORY_DEVICE, // device-local
    WEIR_VK_MEMORY_SHARED, // device-local, for every queue family that the host may use
    WEIR_VK_MEMORY_COPIED, // device-local, for kernels and the queue that copies to host memory
    // These three stay mapped.
    WEIR_VK_MEMORY_READBACK,      // host-cached where the device has such, perhaps not coherent
    WEIR_VK_MEMORY_HOST,          // coherent, host-cached where the device has such
    WEIR_VK_MEMORY_DEVICE_MAPPED, // coherent, device-local where the device has such
};

// Allocate memory, and get the properties of its type. After a failure `*out` is a null handle.
enum weir_result weir_vk_allocate(weir_context *context, const VkMemoryRequirements *requirements,
                                  enum weir_vk_memory memory, VkDeviceMemory *out,
                                  VkMemoryPropertyFlags *properties);

enum weir_result weir_vk_buffer_init(weir_context *context, uint64_t size, VkBufferUsageFlags usage,
                                     enum weir_vk_memory memory, const char *what, const char *tag,
                                     struct weir_vk_buffer *out);
void weir_vk_buffer_finish(weir_context *context, struct weir_vk_buffer *buffer);

// Make what the host has written visible to the GPU, and the reverse. `buffer` is mapped, or there
// is none.
enum weir_result weir_vk_buffer_flush(weir_context *context, const struct weir_vk_buffer *buffer);
enum weir_result weir_vk_buffer_invalidate(weir_context *context,
                                           const struct weir_vk_buffer *buffer);

struct weir_vk_image {
    VkImage image;
    VkDeviceMemory memory;
};

// An image in device-local memory. `samples`: 0 = 1 a texel.
enum weir_result weir_vk_image_init(weir_context *context, const struct weir_image_params *params,
                                    VkSampleCountFlagBits samples, const char *what,
                                    struct weir_vk_image *out);
void weir_vk_image_finish(weir_context *context, struct weir_vk_image *image);

struct weir_vk_view_params {
    VkImage image;
    VkImageViewType type;
    VkFormat format;
    VkImageUsageFlags usage;
    uint32_t first_level, num_levels, num_layers;
};

// Return true if images of a format with optimal tiling have these features.
bool weir_vk_has_format(const weir_context *context, VkFormat format,
                        VkFormatFeatureFlags features);

// Depth of the formats that have it, else colour.
VkImageAspectFlags weir_vk_aspect_of(VkFormat format);

// Make a view. After a failure `*out` is a null handle.
enum weir_result weir_vk_view_init(weir_context *context, const struct weir_vk_view_params *params,
                                   VkImageView *out);
