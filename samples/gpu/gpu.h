// SPDX-License-Identifier: MIT
// The device that samples render on, Weir's context on it, and memory.
#ifndef SAMPLE_GPU_H
#define SAMPLE_GPU_H

#include <stdbool.h>
#include <stdint.h>
#include <vulkan/vulkan.h>

#include <weir/context.h>
#include <weir/device.h>

struct gpu {
    weir_device *made;
    weir_context *weir;
    VkPhysicalDevice physical_device;
    VkDevice device;
    struct weir_queue graphics;
    VkPhysicalDeviceProperties properties;
    VkPhysicalDeviceMemoryProperties memory;
    bool mutable_swapchain; // VK_KHR_swapchain_mutable_format is enabled
};

// Which device, and the features, extensions and surface that are needed of it. Without a window
// there are no extensions and no surface.
struct gpu_needs {
    uint32_t device; // as weir_device_list() numbers them
    bool validation, no_async;
    const VkPhysicalDeviceFeatures *features;
    const char *const *instance_extensions;
    uint32_t num_instance_extensions;
    VkResult (*create_surface)(void *user, VkInstance instance, VkSurfaceKHR *surface);
    void *user;
};

bool gpu_init(struct gpu *gpu, const struct gpu_needs *needs);
void gpu_finish(struct gpu *gpu);

// False, and says so, when the validation layer has sent a message.
bool gpu_check(const struct gpu *gpu);

// Return true if optimal images of a format have these features.
bool gpu_has_format(const struct gpu *gpu, VkFormat format, VkFormatFeatureFlags features);

bool gpu_shader_init(const struct gpu *gpu, const uint32_t *code, size_t size, VkShaderModule *out);

// A buffer that the host writes or reads and that stays mapped.
struct gpu_buffer {
    VkBuffer buffer;
    VkDeviceMemory memory;
    void *mapped;
};
// Make a buffer. `prefer` are memory properties beside HOST_VISIBLE and COHERENT that are taken if
// the device has them.
bool gpu_buffer_init(const struct gpu *gpu, VkDeviceSize size, VkBufferUsageFlags usage,
                     VkMemoryPropertyFlags prefer, struct gpu_buffer *out);
void gpu_buffer_finish(const struct gpu *gpu, struct gpu_buffer *buffer);

// An image in device memory with a view of all of it, in its own format. The view is of an array if
// the image has several layers; with EXTENDED_USAGE it is not for storage.
struct gpu_image {
    VkImage image;
    VkDeviceMemory memory;
    VkImageView view;
};
// Get the description of an image of one level, one layer and one sample.
VkImageCreateInfo gpu_image_info(VkFormat format, uint32_t width, uint32_t height,
                                 VkImageUsageFlags usage);
bool gpu_image_init(const struct gpu *gpu, const VkImageCreateInfo *info, struct gpu_image *out);
void gpu_image_finish(const struct gpu *gpu, struct gpu_image *image);

// A view of a part of an image.
struct gpu_view {
    VkImage image;
    VkFormat format;
    VkImageAspectFlags aspect;
    uint32_t level, num_levels, num_layers;
    VkImageUsageFlags usage; // 0 = that of the image
};
bool gpu_view_init(const struct gpu *gpu, const struct gpu_view *view, VkImageView *out);

// Wait until the device has no work, also where memory is short: what the work uses may then be
// destroyed. On a lost device none is left. Returns what the first wait did.
VkResult gpu_wait_idle(const struct gpu *gpu);

#endif
