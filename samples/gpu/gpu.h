// SPDX-License-Identifier: MIT
// The device that samples render on, Weir's context on it, and their own work (libweir-device).
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <vulkan/vulkan.h>

#include <weir/context.h>
#include <weir/device.h>
#include <weir/gpu.h>
#include <weir/image.h>
#include <weir/pyramid.h>

// What a device owns is destroyed by gpu_release(), the last first, and cleared. An object stays
// where it is until then.
#define GPU_MAX_OBJECTS 256
struct gpu;
struct gpu_object {
    void (*destroy)(struct gpu *gpu, void *object);
    void *object;
};

struct gpu {
    weir_device *made;
    weir_context *weir;
    VkPhysicalDevice physical_device;
    VkDevice device;
    struct weir_queue graphics;
    weir_gpu *work; // on that queue
    VkPhysicalDeviceProperties properties;
    PFN_vkCmdBeginRenderingKHR begin_rendering;
    PFN_vkCmdEndRenderingKHR end_rendering;
    PFN_vkCmdPushDescriptorSetKHR push_descriptors;
    int64_t submit_begin_ns, submit_ns; // begin of the last vkQueueSubmit; the time of all so far
    struct gpu_object owned[GPU_MAX_OBJECTS];
    uint32_t num_owned;
};

// Make a device of these params, whose extensions of the device and log are not read. It draws
// without render pass objects, and records what passes read and write without descriptor sets.
bool gpu_init(struct gpu *gpu, const struct weir_device_params *params);
// Destroy the device and what it owns. The GPU must not be using it, as for gpu_release().
void gpu_finish(struct gpu *gpu);

// Own an object. Destroy what is owned since `num_owned` was this number.
void gpu_own(struct gpu *gpu, void (*destroy)(struct gpu *gpu, void *object), void *object);
void gpu_release(struct gpu *gpu, uint32_t num_owned);

// False, and says so, when the validation layer has sent a message.
bool gpu_check(const struct gpu *gpu);

// Return true if optimal images of a format have these features.
bool gpu_has_format(const struct gpu *gpu, VkFormat format, VkFormatFeatureFlags features);

// A shader that was compiled into the program: SHADER(box_vert) is shaders/box.vert of the sample,
// by the shaders.h that the build makes.
struct shader {
    const uint32_t *words;
    size_t size; // [bytes]
};
#define SHADER(name)                                                                               \
    {                                                                                              \
        name, sizeof(name)                                                                         \
    }

// All that is made from here on is owned by the device.

// Make a buffer of WEIR_GPU_MEMORY_HOST or WEIR_GPU_MEMORY_DEVICE_MAPPED.
bool gpu_buffer_init(struct gpu *gpu, VkDeviceSize size, VkBufferUsageFlags usage,
                     enum weir_gpu_memory memory, struct weir_gpu_buffer *out);

#define GPU_MAX_LEVELS 16
struct gpu_image {
    struct weir_image_params params;   // with `image`
    VkDeviceMemory memory;             // null: the image is not its own, as of a swapchain
    VkImageView view;                  // of all levels
    VkImageView views[GPU_MAX_LEVELS]; // of a level each
    weir_image *weir; // Weir's handle of the image. NULL if it is an attachment and nothing else
};
// Make an image, or the views and the handle of `params->image`. `samples`: 0 = 1 a texel. With
// several layers views are of arrays; with EXTENDED_USAGE they are not for storage.
bool gpu_image_init(struct gpu *gpu, const struct weir_image_params *params,
                    VkSampleCountFlagBits samples, struct gpu_image *out);

// Do the same for an image of one layer that is sampled, and used so besides. It has at most
// `max_levels` levels; UINT32_MAX: all.
bool gpu_texture_init(struct gpu *gpu, VkFormat format, VkImageUsageFlags usage, VkExtent2D size,
                      uint32_t max_levels, struct gpu_image *out);

// weir_pyramid_create() and weir_pyramid_target_create().
bool gpu_pyramid_init(struct gpu *gpu, const struct weir_pyramid_params *params,
                      weir_pyramid **out);
bool gpu_target_init(struct gpu *gpu, weir_pyramid *pyramid,
                     const struct weir_pyramid_target_params *params, weir_pyramid_target **out);

// Record the change to VK_IMAGE_LAYOUT_GENERAL for shaders, after all uses by the frame before. The
// contents are lost.
void gpu_image_discard(const struct gpu *gpu, const struct gpu_image *image, VkCommandBuffer cmd);

// Begin a command buffer, and submit it. `*done` becomes the point at which it has been executed.
bool gpu_begin(const struct gpu *gpu, VkCommandBuffer *cmd);
bool gpu_submit(const struct gpu *gpu, VkCommandBuffer cmd,
                const struct weir_gpu_submission *submission, struct weir_point *done);
// Wait for a point, or for everything that was submitted so far.
bool gpu_wait(const struct gpu *gpu, struct weir_point point);
bool gpu_wait_all(const struct gpu *gpu);

// Wait until the device has no work, also where memory is short: what the work uses may then be
// destroyed. On a lost device none is left. Returns what the first wait did.
VkResult gpu_wait_idle(const struct gpu *gpu);
