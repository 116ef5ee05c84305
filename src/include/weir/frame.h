// SPDX-License-Identifier: MIT
// The frame that a renderer hands to Weir, and the borrowed buffer that kernels write.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <vulkan/vulkan_core.h>

#include <weir/context.h>
#include <weir/image.h>
#include <weir/result.h>

// A point of a timeline semaphore: it is reached when the semaphore has at least `value`. Where a
// call allows binary semaphores too, `value` is not used for them. A point whose semaphore is
// VK_NULL_HANDLE counts as reached.
struct weir_point {
    VkSemaphore semaphore;
    uint64_t value;
};

// A frame: the contents of an image at one time. Plain data; the host fills it anew for every
// frame.
struct weir_frame {
    const weir_image *image; // required
    // Required: the layout of all levels and layers of the image when `wait` is reached. Weir
    // leaves the image in the same layout. Not UNDEFINED or PREINITIALIZED; PRESENT_SRC_KHR is
    // allowed.
    VkImageLayout layout;
    // The queue family that owns the image when `wait` is reached: one of the device's, or
    // VK_QUEUE_FAMILY_EXTERNAL or FOREIGN_EXT. If it is not Weir's and the image is not concurrent,
    // the host records weir_cmd_frame_release() in the submission that signals `wait`, and
    // weir_cmd_frame_acquire() in one that waits for Weir.
    uint32_t queue_family;
    // Weir reads the image after this point. Timeline or binary. VK_NULL_HANDLE: it is already
    // rendered.
    struct weir_point wait;
    // Optional: a binary semaphore that Weir signals when it is done with the image, such as the
    // one that vkQueuePresentKHR waits for. Like `wait`, it belongs to the context's device.
    VkSemaphore signal;
    int64_t time_ns; // time at which the frame is shown, on any clock that does not go back [ns]
    // For weir_readback_begin(): frames of one image with other variants have other commands, which
    // a slot keeps beside each other. Captures do not read it.
    uint32_t variant;
};

// What happens to a frame of another size than those before it.
enum weir_resize {
    WEIR_RESIZE_NEW = 0, // a movie of its own begins with it, or it is refused
    // It is scaled to the first size by a linear filter, as large as its shape allows, with black
    // borders. Colours of SRGB formats are filtered in linear light, of others as they are.
    WEIR_RESIZE_FIT = 1,
    // It is laid in the middle of the first size as it is, with black borders, or cut where it is
    // larger.
    WEIR_RESIZE_PAD = 2,
};

// Check image, layout and queue family of a frame, without submitting anything.
// weir_readback_begin() and weir_capture_frame() check frames themselves. Errors:
// WEIR_ERROR_INVALID (the log names the field), WEIR_ERROR_UNSUPPORTED (no kernel reads the image).
// Thread-safe.
WEIR_API enum weir_result weir_frame_check(const weir_context *context,
                                           const struct weir_frame *frame);

// Record the host's half of the handover to Weir's queue family: a queue family release, or nothing
// where none is needed. Record it on a queue of frame->queue_family, outside a render pass, after
// the last use of the image. `src_stage` and `src_access` are those of the writes before it.
// Records nothing if a pointer is NULL, or if the frame has no image, a queue family that the
// device lacks or a layout that is not allowed. Thread safety: per command buffer.
WEIR_API void weir_cmd_frame_release(const struct weir_frame *frame, VkCommandBuffer cmd,
                                     VkPipelineStageFlags2 src_stage, VkAccessFlags2 src_access);

// Record the host's half of the handover back from Weir: a queue family acquire, or nothing where
// none is needed. Record it on a queue of frame->queue_family, in a submission that waits for
// frame->signal or for the point that Weir gave as `released`. `dst_stage` and `dst_access` are
// those of the first use after it. Records nothing where weir_cmd_frame_release() records nothing.
// Thread safety: per command buffer.
WEIR_API void weir_cmd_frame_acquire(const struct weir_frame *frame, VkCommandBuffer cmd,
                                     VkPipelineStageFlags2 dst_stage, VkAccessFlags2 dst_access);

// True if the two calls above record something for this frame. If false, the host needs no
// submissions for them. Thread-safe.
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

// Wrap a buffer.
// Errors: WEIR_ERROR_INVALID, WEIR_ERROR_UNSUPPORTED (a device limit), WEIR_ERROR_OUT_OF_MEMORY.
// Thread safety: any thread.
WEIR_API enum weir_result weir_buffer_create(weir_context *context,
                                             const struct weir_buffer_params *params,
                                             weir_buffer **out);
// Destroy the wrapper of a buffer, which the GPU must not be using. NULL is allowed; sets `*buffer`
// to NULL.
WEIR_API void weir_buffer_destroy(weir_buffer **buffer);

// Get the params that the buffer was made with; debug_tag is NULL. All fields are zero for NULL.
// Thread-safe.
WEIR_API struct weir_buffer_params weir_buffer_get_params(const weir_buffer *buffer);
