// SPDX-License-Identifier: MIT
// What a renderer hands to Weir: a borrowed image, and a frame on it with its place in time.
#ifndef WEIR_FRAME_H
#define WEIR_FRAME_H

#include <stdbool.h>
#include <stdint.h>
#include <vulkan/vulkan_core.h>

#include <weir/context.h>
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

// How the numbers in an image relate to what a display shows. docs/color.md has the whole story.
enum weir_transfer {
    WEIR_TRANSFER_DEFAULT = 0, // by format: *_SRGB and *_UNORM are CODES, *_SFLOAT is LINEAR
    WEIR_TRANSFER_CODES = 1,   // stored values are display-referred code values: taken as they are
    WEIR_TRANSFER_LINEAR = 2,  // linear light, 1.0 is display white (scRGB): clipped, sRGB-encoded
};

// A borrowed VkImage and the view and descriptor through which kernels read it. Immutable; may be
// used by several command buffers at a time.
typedef struct weir_image weir_image;

// All pointers are read during weir_image_create() only.
struct weir_image_params {
    const char *debug_tag;
    VkImage image; // required. Borrowed until the weir_image is destroyed
    // as given to vkCreateImage or to the swapchain. Required: R8G8B8A8 and B8G8R8A8 UNORM and
    // SRGB, A8B8G8R8_PACK32 UNORM and SRGB, R8, R8G8, R16, R16G16 and R16G16B16A16 UNORM (what is
    // missing is 0, alpha 1), A2B10G10R10_UNORM_PACK32, R16G16B16A16_SFLOAT, R8G8B8A8_SNORM (for
    // signed codecs only)
    VkFormat format;
    uint32_t width, height; // of level 0 [texels]. Required, 1 .. maxImageDimension2D
    // of the image, as many as encoders may read; 0: 1. Frames are level 0 of layer 0. More than
    // one: SAMPLED is required
    uint32_t levels, layers;
    VkImageUsageFlags usage; // as given to vkCreateImage. SAMPLED: kernels read the image itself.
        // Without it TRANSFER_SRC is required, and each frame is first copied on
        // the GPU to an image of Weir's own (slower; logged as WEIR_LOG_FALLBACK)
    // as given. With MUTABLE_FORMAT an SRGB image is read through its UNORM view (the format list,
    // if any, must hold it); else values are decoded on load and encoded again in the kernel, which
    // gives the same codes
    VkImageCreateFlags flags;
    bool concurrent; // VK_SHARING_MODE_CONCURRENT over the host's and Weir's queue families
    enum weir_transfer transfer;
};
#define weir_image_params(...)                                                                     \
    (&(struct weir_image_params){.debug_tag = WEIR_DEBUG_TAG, __VA_ARGS__})

// Wrap an image: once for each swapchain image, again after the swapchain was made anew.
// Errors: WEIR_ERROR_INVALID, WEIR_ERROR_UNSUPPORTED (format, usage), WEIR_ERROR_OUT_OF_MEMORY.
// Thread safety: any thread.
WEIR_API enum weir_result weir_image_create(weir_context *context,
                                            const struct weir_image_params *params,
                                            weir_image **out);

// The image must not be in use by the GPU. NULL is allowed; sets `*image` to NULL.
WEIR_API void weir_image_destroy(weir_image **image);

// The params that the image was made with, defaults filled in; debug_tag is NULL. Thread-safe.
WEIR_API struct weir_image_params weir_image_get_params(const weir_image *image);

// A frame: one state of an image, in time. A plain value; the host fills it anew for every frame.
struct weir_frame {
    const weir_image *image; // required
    // the image's layout when `wait` is reached, and again when Weir is done. Required, not
    // UNDEFINED. PRESENT_SRC_KHR is fine
    VkImageLayout layout;
    // the family that owns the image then. When it is not Weir's and the image is not concurrent,
    // the host records weir_cmd_frame_release() before `wait` and weir_cmd_frame_acquire() after
    // `signal`
    uint32_t queue_family;
    struct weir_point wait; // Weir's reads wait for it. Timeline or binary. Null: already rendered
    // optional: a binary semaphore that Weir signals when it is done with the image, such as the
    // one that vkQueuePresentKHR waits for
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

// True when the two calls above record something for this frame: the host may skip the submission.
WEIR_API bool weir_frame_changes_owner(const struct weir_frame *frame);

// A borrowed VkBuffer and the descriptor through which kernels write it. Immutable.
typedef struct weir_buffer weir_buffer;
struct weir_buffer_params {
    const char *debug_tag;
    VkBuffer buffer; // required, usage STORAGE_BUFFER. Borrowed until the weir_buffer is destroyed
    uint64_t offset; // [bytes], a multiple of minStorageBufferOffsetAlignment
    uint64_t size;   // [bytes]. Required, 1 .. maxStorageBufferRange
};
#define weir_buffer_params(...)                                                                    \
    (&(struct weir_buffer_params){.debug_tag = WEIR_DEBUG_TAG, __VA_ARGS__})

// Errors: WEIR_ERROR_INVALID, WEIR_ERROR_UNSUPPORTED (a device limit), WEIR_ERROR_OUT_OF_MEMORY.
// Thread safety: any thread.
WEIR_API enum weir_result weir_buffer_create(weir_context *context,
                                             const struct weir_buffer_params *params,
                                             weir_buffer **out);
// The buffer must not be in use by the GPU. NULL is allowed; sets `*buffer` to NULL.
WEIR_API void weir_buffer_destroy(weir_buffer **buffer);

#ifdef __cplusplus
}
#endif
#endif
