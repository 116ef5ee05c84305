// SPDX-License-Identifier: MIT
// Images, buffers, kernels and submissions (libweir-device), for programs without such code.
// The calls that record read nothing of `gpu` but its Vulkan functions.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <vulkan/vulkan_core.h>

#include <weir/context.h>
#include <weir/frame.h>
#include <weir/image.h>
#include <weir/result.h>

// A queue of a device, with command buffers and a timeline of its submissions. One thread at a time
// may use it, except for weir_gpu_wait().
typedef struct weir_gpu weir_gpu;

// All pointers are read during weir_gpu_create() only.
struct weir_gpu_params {
    const char *debug_tag;
    // Required: the device, such as weir_device_import() returns. Its queues and features are not
    // read.
    const struct weir_context_params *import;
    struct weir_queue queue; // required: all work is submitted to it, under lock_queue()
};
#define weir_gpu_params(...) WEIR_PARAMS(weir_gpu_params, __VA_ARGS__)

// Make command buffers and a timeline for a queue of a device. The device is borrowed.
// Errors: WEIR_ERROR_INVALID (NULL, no queue), WEIR_ERROR_UNSUPPORTED (an old Vulkan),
// WEIR_ERROR_OUT_OF_MEMORY, WEIR_ERROR_VULKAN. `*out` is NULL then.
WEIR_API enum weir_result weir_gpu_create(const struct weir_gpu_params *params, weir_gpu **out);

// Wait for all submissions, then destroy, with the command buffers. Finish images and buffers
// before. NULL is allowed; sets `*gpu` to NULL.
WEIR_API void weir_gpu_destroy(weir_gpu **gpu);

// Where memory lies.
enum weir_gpu_memory {
    WEIR_GPU_MEMORY_DEVICE = 0, // device-local, not mapped
    WEIR_GPU_MEMORY_HOST = 1,   // mapped and coherent; host-cached if the device has such memory
    // Mapped and coherent; device-local if the device has such memory. The host writes, kernels
    // read.
    WEIR_GPU_MEMORY_DEVICE_MAPPED = 2,
};

// Allocate memory for several images or buffers. The caller frees it by vkFreeMemory().
// Errors: WEIR_ERROR_INVALID, WEIR_ERROR_UNSUPPORTED (no such memory type),
// WEIR_ERROR_OUT_OF_MEMORY, WEIR_ERROR_VULKAN. `*out` is VK_NULL_HANDLE then.
WEIR_API enum weir_result weir_gpu_allocate(weir_gpu *gpu, const VkMemoryRequirements *needs,
                                            enum weir_gpu_memory memory, VkDeviceMemory *out);

// A buffer with memory of its own. Read-only fields. Finishing a zeroed struct does nothing.
struct weir_gpu_buffer {
    VkBuffer buffer;
    VkDeviceMemory memory;
    uint64_t size;   // [bytes]
    uint8_t *mapped; // NULL for WEIR_GPU_MEMORY_DEVICE
};

struct weir_gpu_buffer_params {
    const char *debug_tag;
    uint64_t size; // [bytes]. Required
    VkBufferUsageFlags usage;
    enum weir_gpu_memory memory;
};
#define weir_gpu_buffer_params(...) WEIR_PARAMS(weir_gpu_buffer_params, __VA_ARGS__)

// Make a buffer; mapped memory stays mapped. Errors: as weir_gpu_allocate(). `*out` is zero then.
WEIR_API enum weir_result weir_gpu_buffer_init(weir_gpu *gpu,
                                               const struct weir_gpu_buffer_params *params,
                                               struct weir_gpu_buffer *out);
// Destroy the buffer, which the GPU must not be using, and zero the struct.
WEIR_API void weir_gpu_buffer_finish(weir_gpu *gpu, struct weir_gpu_buffer *buffer);

// A 2D image with device-local memory of its own. Read-only fields. Finishing a zeroed struct does
// nothing.
struct weir_gpu_image {
    struct weir_image_params params; // `image` is set; can be given to weir_image_create()
    VkDeviceMemory memory;
};

// Make an image; `image`, `concurrent` and `transfer` of the params are not read. `samples` per
// texel: 0 = 1. Errors: as weir_gpu_allocate(), and WEIR_ERROR_UNSUPPORTED if the device does not
// support the format with this usage and these flags, or the size.
// `*out` is zero then.
WEIR_API enum weir_result weir_gpu_image_init(weir_gpu *gpu, const struct weir_image_params *params,
                                              VkSampleCountFlagBits samples,
                                              struct weir_gpu_image *out);
// Destroy the image, which the GPU must not be using, and zero the struct.
WEIR_API void weir_gpu_image_finish(weir_gpu *gpu, struct weir_gpu_image *image);

// Make a view of `num_levels` levels of an image, from `level` on, and of all layers, in the
// image's format. For a depth format the view shows depth. If the image has EXTENDED_USAGE, the
// view has no STORAGE usage. The caller destroys it by vkDestroyImageView(). Errors: as
// weir_gpu_allocate(). `*out` is VK_NULL_HANDLE then.
WEIR_API enum weir_result weir_gpu_view_init(weir_gpu *gpu, const struct weir_image_params *image,
                                             uint32_t level, uint32_t num_levels, VkImageView *out);

// Begin a command buffer that is submitted once. It belongs to `gpu`, which reuses it after a
// weir_gpu_wait() for its submission or a later one.
// Errors: WEIR_ERROR_INVALID, WEIR_ERROR_OUT_OF_MEMORY, WEIR_ERROR_VULKAN. `*out` is NULL then.
WEIR_API enum weir_result weir_gpu_begin(weir_gpu *gpu, VkCommandBuffer *out);

// Give back a command buffer that will not be submitted. Call it before anything that the commands
// use is destroyed.
WEIR_API void weir_gpu_discard(weir_gpu *gpu, VkCommandBuffer cmd);

// The semaphores of a submission, besides `gpu`'s timeline.
struct weir_gpu_submission {
    struct weir_point wait; // VK_NULL_HANDLE: none. For a binary one `value` is not read
    VkPipelineStageFlags2 wait_stages;
    VkSemaphore signals[2]; // binary; may be null
};

// End a command buffer of weir_gpu_begin() and submit it. `submit` may be NULL. `*done`, if it is
// not NULL, becomes the point at which it has been executed.
// Errors: WEIR_ERROR_INVALID, WEIR_ERROR_OUT_OF_MEMORY, WEIR_ERROR_DEVICE_LOST, WEIR_ERROR_VULKAN.
WEIR_API enum weir_result weir_gpu_submit(weir_gpu *gpu, VkCommandBuffer cmd,
                                          const struct weir_gpu_submission *submit,
                                          struct weir_point *done);

// As weir_gpu_submit() without semaphores; then wait until the commands have been executed.
WEIR_API enum weir_result weir_gpu_run(weir_gpu *gpu, VkCommandBuffer cmd);

// Get the point at which all submissions so far have been executed. Its semaphore is VK_NULL_HANDLE
// if there were none or `gpu` is NULL.
WEIR_API struct weir_point weir_gpu_get_last(const weir_gpu *gpu);

// Sleep until a point of any timeline of the device is reached, or `timeout_ns` has passed;
// UINT64_MAX = no timeout. A point without a semaphore counts as reached. After any error except
// WEIR_ERROR_INVALID the GPU no longer works towards the point.
// Returns WEIR_NOT_READY after the timeout. Errors: WEIR_ERROR_INVALID, WEIR_ERROR_OUT_OF_MEMORY,
// WEIR_ERROR_DEVICE_LOST, WEIR_ERROR_VULKAN. Thread-safe.
WEIR_API enum weir_result weir_gpu_wait(weir_gpu *gpu, struct weir_point point,
                                        uint64_t timeout_ns);

// One side of a barrier: the stages of its commands, their accesses, and the layout of the image.
struct weir_gpu_scope {
    VkPipelineStageFlags2 stages;
    VkAccessFlags2 access;
    VkImageLayout layout; // read for images only
};

// Record a barrier: `after` begins when `before` has finished, and sees its writes. With `image`
// (may be NULL) the barrier covers all its levels and layers and changes their layout; their
// contents are lost if the layout before is UNDEFINED. Thread safety: per command buffer.
WEIR_API void weir_cmd_barrier(const weir_gpu *gpu, VkCommandBuffer cmd,
                               const struct weir_image_params *image, struct weir_gpu_scope before,
                               struct weir_gpu_scope after);

// A copy between one level of an image, with all layers, and a buffer.
struct weir_gpu_copy {
    const struct weir_image_params *image; // required; not of a depth format
    uint32_t level;
    VkBuffer buffer;     // required
    uint64_t offset;     // of the first texel in the buffer [bytes]
    uint32_t row_length; // from a row to the next in the buffer [texels]. 0 = level width
    // The use of the image after an upload, or before a download.
    struct weir_gpu_scope scope;
};

// Record the copy of a buffer to an image, with barriers before and after. The contents of all
// levels are lost. The buffer was written by the host, or by commands followed by a barrier. Thread
// safety: per command buffer.
WEIR_API void weir_cmd_upload(const weir_gpu *gpu, VkCommandBuffer cmd,
                              const struct weir_gpu_copy *copy);

// Record the copy of an image to a buffer that the host reads, with barriers before and after.
// Afterwards the image is in VK_IMAGE_LAYOUT_GENERAL if it was before, else in
// TRANSFER_SRC_OPTIMAL. Thread safety: per command buffer.
WEIR_API void weir_cmd_download(const weir_gpu *gpu, VkCommandBuffer cmd,
                                const struct weir_gpu_copy *copy);

// One binding of a compute or graphics pipeline.
struct weir_gpu_binding {
    VkDescriptorType type; // of images, storage buffers or samplers
    uint32_t count;        // descriptors; 0 = 1. Bindings with samplers have 1
};

#define WEIR_GPU_MAX_BINDINGS 8

// All pointers are read during weir_gpu_layout_init() only.
struct weir_gpu_layout_params {
    const struct weir_gpu_binding *bindings; // 0, 1, ... of set 0
    uint32_t num_bindings;                   // 1 .. WEIR_GPU_MAX_BINDINGS
    uint32_t push_constants_size;            // [bytes]
    VkShaderStageFlags stages;               // 0 = COMPUTE
    // The layout is for vkCmdPushDescriptorSetKHR() (a device extension): it has no sets, and
    // `sampler` of the layout is pushed with each texture.
    bool pushes;
    // The sampler that all bindings with samplers share. It clamps to the edge.
    VkFilter filter;     // of texels and levels
    VkCompareOp compare; // 0 = none
};

// What the pipelines of one layout share. Read-only fields. Finishing a zeroed struct does nothing.
struct weir_gpu_layout {
    VkPipelineLayout layout; // for compute and graphics pipelines
    VkDescriptorSetLayout set_layout;
    VkSampler sampler;
    VkShaderStageFlags stages;
    uint32_t push_constants_size, num_bindings;
    struct weir_gpu_binding bindings[WEIR_GPU_MAX_BINDINGS];
};

// Make a layout. Call weir_gpu_layout_finish() after an error too.
// Errors: WEIR_ERROR_INVALID, WEIR_ERROR_OUT_OF_MEMORY, WEIR_ERROR_VULKAN.
WEIR_API enum weir_result weir_gpu_layout_init(weir_gpu *gpu,
                                               const struct weir_gpu_layout_params *params,
                                               struct weir_gpu_layout *out);
// Destroy the layout, which the GPU must not be using, and zero the struct.
WEIR_API void weir_gpu_layout_finish(weir_gpu *gpu, struct weir_gpu_layout *layout);

// A kernel: SPIR-V with the entry point "main". All pointers are read during
// weir_gpu_pipeline_init() only.
struct weir_gpu_kernel {
    const uint32_t *code;      // required
    size_t code_size;          // [bytes]
    const uint32_t *constants; // specialization constants 0 .. num_constants - 1, of 32 bits each
    uint32_t num_constants;    // at most 16
};

// Make a compute pipeline. The caller destroys it by vkDestroyPipeline(). Errors: as
// weir_gpu_layout_init(). `*out` is VK_NULL_HANDLE then.
WEIR_API enum weir_result weir_gpu_pipeline_init(weir_gpu *gpu,
                                                 const struct weir_gpu_layout *layout,
                                                 const struct weir_gpu_kernel *kernel,
                                                 VkPipeline *out);

// Make a pool for at most `max_sets` sets of a layout. The caller destroys it by
// vkDestroyDescriptorPool(), which frees its sets. Errors: as weir_gpu_layout_init(). `*out` is
// VK_NULL_HANDLE then.
WEIR_API enum weir_result weir_gpu_pool_init(weir_gpu *gpu, const struct weir_gpu_layout *layout,
                                             uint32_t max_sets, VkDescriptorPool *out);

// The target of a descriptor: a whole buffer, or a view of an image. image_layout 0 (UNDEFINED) =
// GENERAL for storage images, else SHADER_READ_ONLY_OPTIMAL.
struct weir_gpu_descriptor {
    VkBuffer buffer;
    VkImageView view;
    VkImageLayout image_layout;
};

// Allocate a descriptor set from a pool and write `descriptors` to it in the order of the bindings:
// `count` of them for each binding, none for a binding of samplers alone. Errors: as
// weir_gpu_layout_init(). `*out` is VK_NULL_HANDLE then.
WEIR_API enum weir_result weir_gpu_set_init(weir_gpu *gpu, VkDescriptorPool pool,
                                            const struct weir_gpu_layout *layout,
                                            const struct weir_gpu_descriptor *descriptors,
                                            VkDescriptorSet *out);

// Bind a pipeline, a descriptor set and push constants. `pipeline` and `push_constants` may be
// NULL. Binds for compute if layout->stages is COMPUTE, else for graphics. Thread safety: per
// command buffer.
WEIR_API void weir_cmd_bind(const weir_gpu *gpu, VkCommandBuffer cmd,
                            const struct weir_gpu_layout *layout, VkPipeline pipeline,
                            VkDescriptorSet set, const void *push_constants);
