// SPDX-License-Identifier: MIT
// Readback: a ring of slots that carries the results of kernels to host memory without a stall.
//
// A slot goes round: begin() takes a free one and starts its command buffer with the frame's image
// made readable; the caller records kernels that write weir_slot_buffer(); submit() ends and
// submits it, copies the result to host memory behind it; wait() sleeps until the bytes are there;
// release() frees the slot.
#ifndef WEIR_READBACK_H
#define WEIR_READBACK_H

#include <stdbool.h>
#include <stdint.h>
#include <vulkan/vulkan_core.h>

#include <weir/context.h>
#include <weir/frame.h>
#include <weir/result.h>

#ifdef __cplusplus
extern "C" {
#endif

// begin(), submit() and pass() belong to one thread at a time, wait() and release() to another: the
// two run beside each other without a lock.
typedef struct weir_readback weir_readback;

struct weir_readback_params {
    const char *debug_tag;
    uint64_t size;      // of one result [bytes]. Required, 1 .. maxStorageBufferRange
    uint32_t num_slots; // 2 .. 64; 0 = 4
    // bytes that the caller may use before each result in host memory, for a header that must stand
    // next to it; 0 .. 256
    uint32_t headroom;
};
#define weir_readback_params(...) WEIR_PARAMS(weir_readback_params, __VA_ARGS__)

// Errors: WEIR_ERROR_INVALID, WEIR_ERROR_UNSUPPORTED (a device limit), WEIR_ERROR_OUT_OF_MEMORY,
// WEIR_ERROR_VULKAN. All memory is allocated and touched here, none later.
WEIR_API enum weir_result weir_readback_create(weir_context *context,
                                               const struct weir_readback_params *params,
                                               weir_readback **out);
// Waits for what was submitted. NULL is allowed; sets `*readback` to NULL.
WEIR_API void weir_readback_destroy(weir_readback **readback);

// The params that it was made with, defaults filled in; debug_tag is NULL. All zero for NULL.
// Thread-safe.
WEIR_API struct weir_readback_params weir_readback_get_params(const weir_readback *readback);

// A slot taken. Plain data, written by begin().
struct weir_slot {
    uint32_t index;      // 0 .. num_slots-1
    VkCommandBuffer cmd; // recording, from begin() to submit(), unless is_recorded
    // `cmd` holds what was recorded for this image before, see `keep`: record nothing
    bool is_recorded;
    // set it before submit() when every frame of an image records the same commands: a slot that
    // was recorded for the image is then taken as it is, which halves the cost of a frame
    bool keep;
};

// Take a free slot, one that keeps commands for the frame's image, layout and owner if there is
// such; else begin its command buffer, and make the image readable by kernels
// (SHADER_READ_ONLY_OPTIMAL, with a queue family acquire where the frame needs one).
// WEIR_NOT_READY: every slot is in use. Nothing was taken; see weir_readback_pass().
// Errors: WEIR_ERROR_INVALID, WEIR_ERROR_OUT_OF_MEMORY, WEIR_ERROR_DEVICE_LOST, WEIR_ERROR_VULKAN.
// Never blocks.
WEIR_API enum weir_result weir_readback_begin(weir_readback *readback,
                                              const struct weir_frame *frame,
                                              struct weir_slot *slot);

// What the kernels of this slot write.
WEIR_API const weir_buffer *weir_slot_buffer(const weir_readback *readback,
                                             const struct weir_slot *slot);

// End and submit: waits for frame->wait, runs the commands, gives the image back (layout and
// owner), signals frame->signal, copies the result to host memory. `*released`, if not NULL,
// becomes the timeline point at which the image is the host's again. The slot is taken until
// release(), also on an error.
// Errors: WEIR_ERROR_INVALID, WEIR_ERROR_OUT_OF_MEMORY, WEIR_ERROR_DEVICE_LOST, WEIR_ERROR_VULKAN.
WEIR_API enum weir_result weir_readback_submit(weir_readback *readback,
                                               const struct weir_frame *frame,
                                               const struct weir_slot *slot,
                                               struct weir_point *released);

// Let a frame pass without a result: only hands the image back and signals frame->signal, so that
// the host's loop is the same for a frame that was dropped. Blocks only where the image changes its
// owner and sixteen frames that passed before are still in flight.
WEIR_API enum weir_result weir_readback_pass(weir_readback *readback,
                                             const struct weir_frame *frame,
                                             struct weir_point *released);

// The bytes of a slot, and what they cost.
struct weir_readback_data {
    uint8_t *data;   // `size` bytes, and `headroom` bytes before it that may be written
    uint64_t size;   // [bytes]
    uint64_t gpu_ns; // between begin() and submit() on the GPU [ns]; 0 where it cannot be measured
};

// Sleep until the result of a submitted slot is in host memory.
// WEIR_NOT_READY: `timeout_ns` is over. Errors: WEIR_ERROR_DEVICE_LOST, WEIR_ERROR_VULKAN.
WEIR_API enum weir_result weir_readback_wait(weir_readback *readback, uint32_t slot_index,
                                             uint64_t timeout_ns,
                                             struct weir_readback_data *result);

// Give a slot back, after wait() answered WEIR_OK for it or submit() failed. Its bytes are no
// longer valid. Any other slot stays taken: the GPU may still use it.
WEIR_API void weir_readback_release(weir_readback *readback, uint32_t slot_index);

#ifdef __cplusplus
}
#endif
#endif
