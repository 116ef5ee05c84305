// SPDX-License-Identifier: MIT
// Images, buffers, kernels, submissions and readbacks, for programs that have no code of their own
// for them.
// A part of libweir-device. The calls that record need no state of `gpu` but its functions.
#ifndef WEIR_GPU_H
#define WEIR_GPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <vulkan/vulkan_core.h>

#include <weir/context.h>
#include <weir/frame.h>
#include <weir/image.h>
#include <weir/result.h>

#ifdef __cplusplus
extern "C" {
#endif

// A queue of a device, with command buffers and a timeline of its submissions. One thread at a time
// may use it, except for weir_gpu_wait().
typedef struct weir_gpu weir_gpu;

// All pointers are read during weir_gpu_create() only.
struct weir_gpu_params {
    const char *debug_tag;
    // Required: the device, such as weir_device_import() gives it. Of its fields those of queues,
    // extensions of the device and features are not read.
    const struct weir_context_params *import;
    struct weir_queue queue; // required: all work is submitted to it, under the host's lock
};
#define weir_gpu_params(...) WEIR_PARAMS(weir_gpu_params, __VA_ARGS__)

// Make command buffers and a timeline for a queue of a device. The device is borrowed.
// Errors: WEIR_ERROR_INVALID (NULL, no queue), WEIR_ERROR_UNSUPPORTED (Vulkan below 1.2),
// WEIR_ERROR_OUT_OF_MEMORY, WEIR_ERROR_VULKAN. `*out` is NULL then.
WEIR_API enum weir_result weir_gpu_create(const struct weir_gpu_params *params, weir_gpu **out);

// Wait for all submissions, then destroy. Command buffers are freed. Images and buffers must have
// been finished before. NULL is allowed; sets `*gpu` to NULL.
WEIR_API void weir_gpu_destroy(weir_gpu **gpu);

// Where memory lies.
enum weir_gpu_memory {
    WEIR_GPU_MEMORY_DEVICE = 0, // device-local, not mapped
    WEIR_GPU_MEMORY_HOST = 1,   // mapped and coherent; host-cached where the device has such
    // Mapped and coherent, device-local where the device has such: the host writes, kernels read.
    WEIR_GPU_MEMORY_DEVICE_MAPPED = 2,
};

// Allocate memory for several images or buffers. The caller frees it by vkFreeMemory().
// Errors: WEIR_ERROR_INVALID, WEIR_ERROR_UNSUPPORTED (no such memory type),
// WEIR_ERROR_OUT_OF_MEMORY, WEIR_ERROR_VULKAN. `*out` is VK_NULL_HANDLE then.
WEIR_API enum weir_result weir_gpu_allocate(weir_gpu *gpu, const VkMemoryRequirements *needs,
                                            enum weir_gpu_memory memory, VkDeviceMemory *out);

// A buffer with memory of its own. All fields are for reading. A zeroed one may be finished.
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

// Make a buffer, mapped for good if its memory is. Errors: as weir_gpu_allocate(). `*out` is zero
// then.
WEIR_API enum weir_result weir_gpu_buffer_init(weir_gpu *gpu,
                                               const struct weir_gpu_buffer_params *params,
                                               struct weir_gpu_buffer *out);
// Destroy the buffer, which the device must not be using, and zero it.
WEIR_API void weir_gpu_buffer_finish(weir_gpu *gpu, struct weir_gpu_buffer *buffer);

// A 2D image with device-local memory of its own. All fields are for reading. A zeroed one may be
// finished.
struct weir_gpu_image {
    struct weir_image_params params; // with `image`: weir_image_create() takes them as they are
    VkDeviceMemory memory;
};

// Make an image of these params, of which `image`, `concurrent` and `transfer` are not read.
// `samples`: 0 = 1 a texel. Errors: as weir_gpu_allocate(), and WEIR_ERROR_UNSUPPORTED if the
// device makes no image of the format with this usage and these flags, or none of that size.
// `*out` is zero then.
WEIR_API enum weir_result weir_gpu_image_init(weir_gpu *gpu, const struct weir_image_params *params,
                                              VkSampleCountFlagBits samples,
                                              struct weir_gpu_image *out);
// Destroy the image, which the device must not be using, and zero it.
WEIR_API void weir_gpu_image_finish(weir_gpu *gpu, struct weir_gpu_image *image);

// Make a view of `num_levels` levels from `level` on and of all layers of an image, in its format.
// Of a depth format it is of the depth. With EXTENDED_USAGE it is not for STORAGE. The caller
// destroys it by vkDestroyImageView(). Errors: as weir_gpu_allocate(). `*out` is VK_NULL_HANDLE
// then.
WEIR_API enum weir_result weir_gpu_view_init(weir_gpu *gpu, const struct weir_image_params *image,
                                             uint32_t level, uint32_t num_levels, VkImageView *out);

// Begin a command buffer that is submitted once. It belongs to `gpu`, which uses it again when a
// wait has seen that it has been executed.
// Errors: WEIR_ERROR_INVALID, WEIR_ERROR_OUT_OF_MEMORY, WEIR_ERROR_VULKAN. `*out` is NULL then.
WEIR_API enum weir_result weir_gpu_begin(weir_gpu *gpu, VkCommandBuffer *out);

// Give back a command buffer that is not submitted, before anything that it uses is destroyed.
WEIR_API void weir_gpu_discard(weir_gpu *gpu, VkCommandBuffer cmd);

// What a submission waits for, and signals besides the timeline.
struct weir_gpu_submission {
    struct weir_point wait; // a null semaphore: nothing. The value of a binary one is not read
    VkPipelineStageFlags wait_stages;
    VkSemaphore signals[2]; // binary; may be null
};

// End a command buffer of weir_gpu_begin() and submit it. `submit` may be NULL. `*done`, if it is
// not NULL, becomes the point at which it has been executed.
// Errors: WEIR_ERROR_INVALID, WEIR_ERROR_OUT_OF_MEMORY, WEIR_ERROR_DEVICE_LOST, WEIR_ERROR_VULKAN.
WEIR_API enum weir_result weir_gpu_submit(weir_gpu *gpu, VkCommandBuffer cmd,
                                          const struct weir_gpu_submission *submit,
                                          struct weir_point *done);

// Do the same, and wait until it has been executed.
WEIR_API enum weir_result weir_gpu_run(weir_gpu *gpu, VkCommandBuffer cmd);

// Get the point at which all submissions so far have been executed. A null semaphore: there were
// none, or `gpu` is NULL.
WEIR_API struct weir_point weir_gpu_get_last(const weir_gpu *gpu);

// Sleep until a point of any timeline of the device is reached, or the timeout is over; UINT64_MAX:
// there is none. A point with a null semaphore is reached. Also after an error what was waited for
// is over, unless that is WEIR_ERROR_INVALID.
// Returns WEIR_NOT_READY after the timeout. Errors: WEIR_ERROR_INVALID, WEIR_ERROR_OUT_OF_MEMORY,
// WEIR_ERROR_DEVICE_LOST, WEIR_ERROR_VULKAN. Thread-safe.
WEIR_API enum weir_result weir_gpu_wait(weir_gpu *gpu, struct weir_point point,
                                        uint64_t timeout_ns);

// Stages of the commands on one side of a barrier, how they access memory, and the layout that an
// image has on that side.
struct weir_gpu_scope {
    VkPipelineStageFlags stages;
    VkAccessFlags access;
    VkImageLayout layout; // read for images only
};

// Record a barrier: `after` begins when `before` has finished, and sees its writes. With an image
// the barrier is for all its levels and layers, and changes their layout; what they hold is lost
// where the layout before is UNDEFINED. `image` may be NULL.
WEIR_API void weir_cmd_barrier(const weir_gpu *gpu, VkCommandBuffer cmd,
                               const struct weir_image_params *image, struct weir_gpu_scope before,
                               struct weir_gpu_scope after);

// A level of an image, all its layers, and the texels of it in a buffer.
struct weir_gpu_copy {
    const struct weir_image_params *image; // required; not of a depth format
    uint32_t level;
    VkBuffer buffer;     // required
    uint64_t offset;     // of the first texel in the buffer [bytes]
    uint32_t row_length; // distance of rows in the buffer [texels]. 0 = the width of the level
    // Who uses the image behind an upload, and who has used it before a download.
    struct weir_gpu_scope scope;
};

// Record the copy of a buffer to an image, with barriers before and after. What the image held is
// lost in all levels. The host, or commands with a barrier behind them, have written the buffer.
WEIR_API void weir_cmd_upload(const weir_gpu *gpu, VkCommandBuffer cmd,
                              const struct weir_gpu_copy *copy);

// Record the copy of an image to a buffer that the host reads, with barriers before and after. An
// image that was in VK_IMAGE_LAYOUT_GENERAL stays there, any other is in TRANSFER_SRC_OPTIMAL
// then.
WEIR_API void weir_cmd_download(const weir_gpu *gpu, VkCommandBuffer cmd,
                                const struct weir_gpu_copy *copy);

// Descriptors of one binding of a kernel or of a pipeline that draws.
struct weir_gpu_binding {
    VkDescriptorType type; // of images, storage buffers or samplers
    uint32_t count;        // 0 = 1, which those with samplers have
};

#define WEIR_GPU_MAX_BINDINGS 8

// All pointers are read during weir_gpu_layout_init() only.
struct weir_gpu_layout_params {
    const struct weir_gpu_binding *bindings; // 0, 1, ... of set 0
    uint32_t num_bindings;                   // 1 .. WEIR_GPU_MAX_BINDINGS
    uint32_t push_constants_size;            // [bytes]
    VkShaderStageFlags stages;               // 0 = COMPUTE
    // The layout is for vkCmdPushDescriptorSetKHR(), an extension of the device: it has no sets.
    bool pushes;
    // Of the one sampler that all bindings with samplers have. It clamps to the edges.
    VkFilter filter;     // of texels and levels
    VkCompareOp compare; // 0 = none
};

// What the pipelines of one layout share. All fields are for reading. A zeroed one may be finished.
struct weir_gpu_layout {
    VkPipelineLayout layout; // for pipelines that draw, too
    VkDescriptorSetLayout set_layout;
    VkSampler sampler;
    VkShaderStageFlags stages;
    uint32_t push_constants_size, num_bindings;
    struct weir_gpu_binding bindings[WEIR_GPU_MAX_BINDINGS];
};

// Make a layout. Finish it after an error too.
// Errors: WEIR_ERROR_INVALID, WEIR_ERROR_OUT_OF_MEMORY, WEIR_ERROR_VULKAN.
WEIR_API enum weir_result weir_gpu_layout_init(weir_gpu *gpu,
                                               const struct weir_gpu_layout_params *params,
                                               struct weir_gpu_layout *out);
// Destroy the layout, which the device must not be using, and zero it.
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

// Make a pool for so many sets of a layout. The caller destroys it by vkDestroyDescriptorPool(),
// which frees its sets. Errors: as weir_gpu_layout_init(). `*out` is VK_NULL_HANDLE then.
WEIR_API enum weir_result weir_gpu_pool_init(weir_gpu *gpu, const struct weir_gpu_layout *layout,
                                             uint32_t max_sets, VkDescriptorPool *out);

// What a descriptor refers to: a whole buffer, or a view of an image in a layout. UNDEFINED: it is
// in GENERAL for storage, else in SHADER_READ_ONLY_OPTIMAL.
struct weir_gpu_descriptor {
    VkBuffer buffer;
    VkImageView view;
    VkImageLayout image_layout;
};

// Allocate a descriptor set of a pool, and write one descriptor after the other, in the order of
// the bindings; a binding of N descriptors takes N, one of samplers none. Errors: as
// weir_gpu_layout_init(). `*out` is VK_NULL_HANDLE then.
WEIR_API enum weir_result weir_gpu_set_init(weir_gpu *gpu, VkDescriptorPool pool,
                                            const struct weir_gpu_layout *layout,
                                            const struct weir_gpu_descriptor *descriptors,
                                            VkDescriptorSet *out);

// Record the use of a pipeline, unless it is null, of a set and of push constants, which may be
// NULL where there are none. For compute, or where the layout has other stages, for graphics.
WEIR_API void weir_cmd_bind(const weir_gpu *gpu, VkCommandBuffer cmd,
                            const struct weir_gpu_layout *layout, VkPipeline pipeline,
                            VkDescriptorSet set, const void *push_constants);

#ifdef __cplusplus
}
#endif
#endif
