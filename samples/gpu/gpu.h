// SPDX-License-Identifier: MIT
// The device that samples render on, Weir's context on it, and their own work (libweir-device).
#ifndef SAMPLE_GPU_H
#define SAMPLE_GPU_H

#include <stdbool.h>
#include <stdint.h>
#include <vulkan/vulkan.h>

#include <weir/context.h>
#include <weir/device.h>
#include <weir/gpu.h>

struct gpu {
    weir_device *made;
    weir_context *weir;
    VkPhysicalDevice physical_device;
    VkDevice device;
    struct weir_queue graphics;
    weir_gpu *work; // on that queue
    VkPhysicalDeviceProperties properties;
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

// Make a buffer of WEIR_GPU_MEMORY_HOST or WEIR_GPU_MEMORY_DEVICE_MAPPED.
bool gpu_buffer_init(const struct gpu *gpu, VkDeviceSize size, VkBufferUsageFlags usage,
                     enum weir_gpu_memory memory, struct weir_gpu_buffer *out);

// An image, with a view of all of it.
struct gpu_image {
    struct weir_gpu_image made;
    VkImageView view;
};
// Make an image. `samples`: 0 = 1 a texel.
bool gpu_image_init(const struct gpu *gpu, const struct weir_image_params *params,
                    VkSampleCountFlagBits samples, struct gpu_image *out);
void gpu_image_finish(const struct gpu *gpu, struct gpu_image *image);

// Wait until the device has no work, also where memory is short: what the work uses may then be
// destroyed. On a lost device none is left. Returns what the first wait did.
VkResult gpu_wait_idle(const struct gpu *gpu);

#endif
