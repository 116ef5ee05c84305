// SPDX-License-Identifier: MIT
// Readback: a ring of slots that carries the results of kernels to host memory without a stall.
//
// The life of a slot: weir_readback_begin() takes a free slot, begins its command buffer and makes
// the frame's image readable there. The caller records kernels that write weir_slot_buffer().
// weir_readback_submit() submits the command buffer, and after it a copy of the result to host
// memory. weir_readback_wait() sleeps until the result is in host memory. weir_readback_release()
// frees the slot.
//
// With weir_context_params.transfer the copy runs on that queue, beside the kernels of the frames
// behind it, so that a stream of frames is as fast as the slower of both, and not as their sum.
//
// Where not all bytes that kernels write are needed, as behind weir_cmd_snappy(), a ring with
// `direct_size` has no copy: the last kernel writes its result straight into host memory.
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

// A ring of slots. One thread at a time may call begin(), submit(), pass() and wait_control(), and
// one thread at a time, the same or another, wait() and release(). The two threads need no lock.
typedef struct weir_readback weir_readback;

struct weir_readback_params {
    const char *debug_tag;
    uint64_t size;      // of one result [bytes]. Required, 1 .. maxStorageBufferRange
    uint32_t num_slots; // results in flight, 2 .. 64; 0 = 4
    // Free space directly before each result in host memory, for a header of the caller's [bytes],
    // 0 .. 256.
    uint32_t headroom;
    // For a result of two parts, as two encoders write them one behind the other: the size of the
    // first one, below `size` [bytes]. 0 = one part.
    uint64_t first_size;
    // Free space between the two parts in host memory, for a header of the caller's [bytes],
    // 0 .. 256. 0 if first_size is.
    uint32_t gap;
    // The size of the history: a buffer that stays from frame to frame, for an encoder with
    // `steady` [bytes], 0 .. maxStorageBufferRange. 0 = none.
    uint64_t history_size;
    // Kernels write the result into host memory, weir_slot_result(), in place of a copy at the end:
    // the size of that [bytes], 0 .. maxStorageBufferRange. weir_slot_buffer() is then no more than
    // memory of the frame's kernels, `size` bytes, and first_size and gap are 0. 0 = a copy.
    uint64_t direct_size;
    // The size of each slot's control: memory that the host and the kernels of a frame share, for
    // an optimiser with `control` [bytes], 0 .. 2^20. 0 = none.
    uint64_t control_size;
    // Optional: a ring of the same context, which has the same timelines then. For a host whose
    // results change their size: it makes another ring, and points that the first one gave stay
    // valid until both are destroyed. The limits of threads hold for all rings of a timeline as for
    // one, and for making and destroying them; only wait() and release() of each have a thread of
    // their own.
    weir_readback *timeline_of;
};
#define weir_readback_params(...) WEIR_PARAMS(weir_readback_params, __VA_ARGS__)

// Make a ring. Allocates and touches all of its memory; later calls allocate nothing.
// Errors: WEIR_ERROR_INVALID, WEIR_ERROR_UNSUPPORTED (a device limit), WEIR_ERROR_OUT_OF_MEMORY,
// WEIR_ERROR_VULKAN. Thread safety: any thread.
WEIR_API enum weir_result weir_readback_create(weir_context *context,
                                               const struct weir_readback_params *params,
                                               weir_readback **out);
// Wait for all submitted slots, then destroy the ring. NULL is allowed; sets `*readback` to NULL.
WEIR_API void weir_readback_destroy(weir_readback **readback);

// Get the params that the ring was made with, defaults filled in; debug_tag and
// timeline_of are NULL. All fields are zero for NULL. Thread-safe.
WEIR_API struct weir_readback_params weir_readback_get_params(const weir_readback *readback);

// A slot in use. Plain data, filled by weir_readback_begin().
struct weir_slot {
    uint32_t index; // 0 .. num_slots-1
    // The command buffer to record kernels into between begin() and submit(), unless is_recorded.
    VkCommandBuffer cmd;
    // With direct_size another one, for kernels that do not read the image: it runs behind `cmd`,
    // when the image has been given back. NULL without.
    VkCommandBuffer tail;
    // True: `cmd` and `tail` still hold the commands of an earlier frame of this image, because of
    // `keep`. Record nothing then.
    bool is_recorded;
    // Set it before submit() if every frame of an image records the same commands. The slot then
    // keeps them for later frames of that image, which halves the cost of a frame.
    bool keep;
};

// Take a free slot, preferably one that keeps commands for the frame's image, layout and queue
// family. Where there is none, take another, begin its command buffer and record the barrier that
// makes the image readable by kernels: SHADER_READ_ONLY_OPTIMAL, with a queue family acquire if the
// frame needs one.
// WEIR_NOT_READY: every slot is in use and none was taken; see weir_readback_pass().
// Errors: WEIR_ERROR_INVALID, WEIR_ERROR_OUT_OF_MEMORY, WEIR_ERROR_DEVICE_LOST, WEIR_ERROR_VULKAN.
// Never blocks.
WEIR_API enum weir_result weir_readback_begin(weir_readback *readback,
                                              const struct weir_frame *frame,
                                              struct weir_slot *slot);

// Get the buffer that kernels must write their result to. It lives as long as the ring. NULL for
// NULL and for an index that the ring does not have. Thread-safe.
WEIR_API const weir_buffer *weir_slot_buffer(const weir_readback *readback,
                                             const struct weir_slot *slot);

// Get the slot's result in host memory, for a ring with direct_size: what kernels leave in it is
// what weir_readback_wait() gives. Kernels had better write it once, 16 bytes an invocation, and
// not read it. What they do not write is undefined. It lives as long as the ring. NULL for NULL,
// for an index that the ring does not have, and for a ring without direct_size. Thread-safe.
WEIR_API const weir_buffer *weir_slot_result(const weir_readback *readback,
                                             const struct weir_slot *slot);

// Get the history, for weir_encode.history: a buffer of the ring that all its frames read and
// write, one after the other. It is zero for the first frame that is submitted, and keeps what the
// kernels of a frame leave in it for the next one. It lives as long as the ring. NULL for NULL and
// for a ring without one. Thread-safe.
WEIR_API const weir_buffer *weir_readback_history(const weir_readback *readback);

// The control of a slot. Both NULL for NULL, for an index that the ring does not have, and for a
// ring without control.
struct weir_slot_control {
    const weir_buffer *buffer; // for kernels
    void *data;                // the same bytes for the host, aligned to 16
};

// Get the control of a slot. The host may write it between begin() and submit(), and read it after
// weir_readback_wait() or weir_readback_wait_control() and before the slot is begun again. It
// keeps its bytes between frames, and is zero before the first. It lives as long as the ring.
// Thread-safe.
WEIR_API struct weir_slot_control weir_slot_get_control(const weir_readback *readback,
                                                        uint32_t slot_index);

// End the command buffer and submit it. On the GPU it waits for the frame's `wait`, runs the
// commands, gives the image back in its layout and to its queue family, signals the frame's
// `signal`, and then copies the result to host memory, or runs the tail. The frame is the one that
// begin() was given, which the ring has kept. `*released`, if `released` is not NULL, becomes the
// timeline point at which the image is the host's again. The slot stays in use until
// weir_readback_release(), also after an error. After an error nothing is waited for and signalled;
// a transfer queue that does not take the copy is no error here, where the image comes back, but
// one of weir_readback_wait().
// Errors: WEIR_ERROR_INVALID (NULL, or a slot that is not between begin() and submit()),
// WEIR_ERROR_OUT_OF_MEMORY, WEIR_ERROR_DEVICE_LOST, WEIR_ERROR_VULKAN.
WEIR_API enum weir_result weir_readback_submit(weir_readback *readback,
                                               const struct weir_slot *slot,
                                               struct weir_point *released);

// Let a frame pass without a result: only wait for frame->wait, give the image back and signal
// frame->signal and `released`, as submit() does. The host's loop is then the same for a dropped
// frame. Frames that begin() refuses pass too. If such a frame has no image, or one of another
// context, or a layout that is not allowed, or a queue family that the device does not have, only
// the semaphores are waited for and signalled, and the image does not come back from Weir's queue
// family; the host may discard its contents.
// Blocks only where the image changes its queue family and sixteen frames that passed before are
// still in flight.
// Errors: WEIR_ERROR_INVALID (NULL, an image of another device), WEIR_ERROR_OUT_OF_MEMORY,
// WEIR_ERROR_DEVICE_LOST, WEIR_ERROR_VULKAN. Nothing is waited for and signalled then.
WEIR_API enum weir_result weir_readback_pass(weir_readback *readback,
                                             const struct weir_frame *frame,
                                             struct weir_point *released);

// The result of a slot in host memory, and its GPU time.
struct weir_readback_data {
    // `size` bytes; they may be written, and so may the `headroom` bytes before them. Of a result
    // of two parts the second one begins `first_size` + `gap` bytes from here, and the gap may be
    // written too.
    uint8_t *data;
    uint64_t size; // of the result, without the gap, or direct_size [bytes]
    // GPU time of a frame's kernels [ns], from when the image is taken, with the tail; 0 where it
    // cannot be measured. One frame in sixteen is timed, as time stamps hold kernels up, and the
    // first: of others it is that of the last one.
    uint64_t gpu_ns;
    const void *control; // as weir_slot_get_control() has it
};

// Sleep until the result of a submitted slot is in host memory. It is valid until release().
// WEIR_NOT_READY: `timeout_ns` has passed. Errors: WEIR_ERROR_INVALID (NULL, a slot that was not
// submitted), WEIR_ERROR_OUT_OF_MEMORY, WEIR_ERROR_DEVICE_LOST, WEIR_ERROR_VULKAN.
WEIR_API enum weir_result weir_readback_wait(weir_readback *readback, uint32_t slot_index,
                                             uint64_t timeout_ns, struct weir_readback_data *data);

// Sleep until the kernels of a submitted slot have run, so that its control can be read. For the
// thread that calls submit(), also after another thread has waited for the slot or released it.
// WEIR_NOT_READY: `timeout_ns` has passed. Errors: WEIR_ERROR_INVALID (NULL, a slot that was not
// submitted, a ring without control), WEIR_ERROR_DEVICE_LOST, WEIR_ERROR_VULKAN.
WEIR_API enum weir_result weir_readback_wait_control(weir_readback *readback, uint32_t slot_index,
                                                     uint64_t timeout_ns);

// Free a slot after wait() returned WEIR_OK for it, or the error of a copy that the transfer queue
// did not take, or after submit() failed. Its result is no longer valid. For any other slot the
// call does nothing, because the GPU may still use it.
WEIR_API void weir_readback_release(weir_readback *readback, uint32_t slot_index);

// True if the GPU has done all submissions of the ring, also where the device is lost, so that
// weir_readback_destroy() does not wait. True for NULL. Never blocks. Thread safety: as begin().
WEIR_API bool weir_readback_is_idle(weir_readback *readback);

#ifdef __cplusplus
}
#endif
#endif
