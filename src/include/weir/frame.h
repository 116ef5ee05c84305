// SPDX-License-Identifier: MIT
// A frame: what a renderer hands to Weir. And the borrowed buffer that kernels write.
#ifndef WEIR_FRAME_H
#define WEIR_FRAME_H

#include <stdbool.h>
#include <stdint.h>
#include <vulkan/vulkan_core.h>

#include <weir/context.h>
#include <weir/image.h>
#include <weir/result.h>

#ifdef __cplusplus
extern "C" {
#endif

// A point of a timeline semaphore, the currency between host, encoder and readback. Where a call
// says that binary semaphores are allowed too, `value` is not used for them. A null semaphore is a
// point that has been reached.
struct weir_point {
    VkSemaphore semaphore;
    uint64_t value;
};

// A frame: one state of an image, in time. A plain value; the host fills it anew for every frame.
struct weir_frame {
    const weir_image *image; // required
    // The layout of every level and layer of the image when `wait` is reached, and again when Weir is
    // done. Required, not UNDEFINED. PRESENT_SRC_KHR is fine.
    VkImageLayout layout;
    // The family that owns the image then. When it is not Weir's and the image is not concurrent, the
    // host records weir_cmd_frame_release() before `wait` and weir_cmd_frame_acquire() after
    // `signal`.
    uint32_t queue_family;
    struct weir_point wait; // Weir's reads wait for it. Timeline or binary. Null: already rendered
    // Optional: a binary semaphore that Weir signals when it is done with the image, such as the one
    // that vkQueuePresentKHR waits for.
    VkSemaphore signal;
    int64_t time_ns; // when the frame is shown, on any clock that does not go back [ns]
};

// Record the host's half of handing `frame` to Weir's queue family: a queue family release, or
// nothing where none is needed. Record it on a queue of frame->queue_family, outside a render pass,
// as the last use of the image; `src_stage` and `src_access` are those of the writes before it.
// Thread safety: per command buffer.
WEIR_API void weir_cmd_frame_release(const struct weir_frame *frame, VkCommandBuffer cmd,
                                     VkPipelineStageFlags src_stage, VkAccessFlags src_access);

// The other half, after Weir is done: a queue family acquire on a queue of frame->queue_family, in
// a submission that waits for `frame->signal` or for the point that Weir gave. `dst_stage` and
// `dst_access` are those of the first use after it.
WEIR_API void weir_cmd_frame_acquire(const struct weir_frame *frame, VkCommandBuffer cmd,
                                     VkPipelineStageFlags dst_stage, VkAccessFlags dst_access);

// True when the two calls above record something for this frame; else the host may skip the
// submission.
WEIR_API bool weir_frame_changes_owner(const struct weir_frame *frame);

// A borrowed VkBuffer and the descriptor through which kernels write it. Immutable.
typedef struct weir_buffer weir_buffer;
struct weir_buffer_params {
    const char *debug_tag;
    VkBuffer buffer; // required, usage STORAGE_BUFFER. Borrowed until the weir_buffer is destroyed
    uint64_t offset; // [bytes], a multiple of minStorageBufferOffsetAlignment
    uint64_t size;   // [bytes]. Required, 1 .. maxStorageBufferRange
};
#define weir_buffer_params(...) WEIR_PARAMS(weir_buffer_params, __VA_ARGS__)

// Errors: WEIR_ERROR_INVALID, WEIR_ERROR_UNSUPPORTED (a device limit), WEIR_ERROR_OUT_OF_MEMORY.
// Thread safety: any thread.
WEIR_API enum weir_result weir_buffer_create(weir_context *context,
                                             const struct weir_buffer_params *params,
                                             weir_buffer **out);
// The buffer must not be in use by the GPU. NULL is allowed; sets `*buffer` to NULL.
WEIR_API void weir_buffer_destroy(weir_buffer **buffer);

// The params that the buffer was made with; debug_tag is NULL. All zero for NULL. Thread-safe.
WEIR_API struct weir_buffer_params weir_buffer_get_params(const weir_buffer *buffer);

#ifdef __cplusplus
}
#endif
#endif
