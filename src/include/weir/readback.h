// SPDX-License-Identifier: MIT
// Readback: a ring of slots that carries the results of kernels to host memory without a stall.
//
// The life of a slot: weir_readback_begin() takes a free slot, begins its command buffer and makes
// the frame's image readable there. The caller records kernels that write weir_slot_buffer().
// weir_readback_submit() submits the command buffer, and after it a copy of the result to host
// memory. weir_readback_wait() sleeps until the result is in host memory. weir_readback_release()
// frees the slot.
//
// With weir_context_params.transfer the copy runs on that queue while the kernels of later frames
// run. A frame then costs the longer of both times, not their sum.
//
// With `direct_size` there is no copy: the last kernel writes its result directly to host memory.
// Use it if only a part of what kernels write is needed, as after weir_cmd_snappy().
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <vulkan/vulkan_core.h>

#include <weir/context.h>
#include <weir/frame.h>
#include <weir/result.h>

// A ring of slots. One thread at a time may call begin(), submit(), pass(), is_idle() and
// wait_control(). One thread at a time, the same or another, may call wait() and release(). The two
// need no lock.
typedef struct weir_readback weir_readback;

// Frames of another size are brought to this one before kernels read them.
struct weir_readback_resize {
    enum weir_resize mode; // NEW: they are read as they are, and the rest is ignored
    // Required: frames have its format, flags and transfer. Frames of another size need the usage
    // TRANSFER_SRC, and the device blits and linear filtering of the format, and a queue with
    // graphics. It is read during weir_readback_create() only.
    const weir_image *like;
    uint32_t width, height; // [texels]. Required
};

struct weir_readback_params {
    const char *debug_tag;
    uint64_t size;      // of one result [bytes]. Required, 1 .. maxStorageBufferRange
    uint32_t num_slots; // results in flight, 2 .. 64; 0 = 4
    // Free space directly before each result in host memory, for a header of the caller's [bytes],
    // 0 .. 256.
    uint32_t headroom;
    // For a result of two parts, such as the blocks of two encoders: the size of the first one,
    // below `size` [bytes]. 0 = one part.
    uint64_t first_size;
    // Free space between the two parts in host memory, for a header of the caller's [bytes], 0 ..
    // 256. Must be 0 without first_size.
    uint32_t gap;
    // The size of the history, a buffer that all frames share, for an encoder with `steady`
    // [bytes], 0 .. maxStorageBufferRange. 0 = none.
    uint64_t history_size;
    // 0 = the result is copied to host memory. Else the size of weir_slot_result(), to which
    // kernels write their result directly [bytes], 0 .. maxStorageBufferRange. weir_slot_buffer()
    // is then only scratch memory of `size` bytes, and first_size and gap must be 0.
    uint64_t direct_size;
    // The size of each slot's control, memory that the host and the frame's kernels share, for an
    // optimiser with `control` [bytes], 0 .. 2^20. 0 = none.
    uint64_t control_size;
    // Optional: a ring of the same context whose timelines the new ring shares. If results change
    // their size, make another ring with it: points that the first ring gave stay valid until both
    // are destroyed. All rings that share timelines count as one ring in the thread rule above,
    // also for creating and destroying them; only wait() and release() may have a thread for each
    // ring.
    weir_readback *timeline_of;
    struct weir_readback_resize resize;
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

// Get the params that the ring was made with, defaults filled in; debug_tag, timeline_of and
// resize.like are NULL. All fields are zero for NULL. Thread-safe.
WEIR_API struct weir_readback_params weir_readback_get_params(const weir_readback *readback);

enum { WEIR_SLOT_MAX_COMMANDS = 256 }; // of all slots of a ring

// A slot in use. Plain data, filled by weir_readback_begin().
struct weir_slot {
    uint32_t index; // 0 .. num_slots-1
    // The command buffer to record kernels into between begin() and submit(), unless is_recorded.
    VkCommandBuffer cmd;
    // With direct_size, else NULL: a second command buffer, for kernels that do not read the image.
    // It runs after `cmd`, when the image has been given back.
    VkCommandBuffer tail;
    // The number of these command buffers in the ring, below WEIR_SLOT_MAX_COMMANDS: what they
    // alone use may be changed while is_recorded is false.
    uint32_t commands;
    // What kernels read: the frame's image, or with `resize` a copy of the size of the ring.
    const weir_image *image;
    // True: `cmd` and `tail` still hold the commands of an earlier frame of this image (`keep`).
    // Record nothing then.
    bool is_recorded;
    // Set it before submit() if every frame of an image and a variant records the same commands.
    // The slot then keeps them for later such frames, which halves the cost of a frame.
    bool keep;
};

// Take a free slot, if possible one that keeps commands for the frame's image, layout, queue family
// and variant. If there is none, begin the command buffer and record the barrier that makes the
// image readable by kernels: SHADER_READ_ONLY_OPTIMAL, with a queue family acquire if the frame
// needs one.
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

// Get the slot's result in host memory, for a ring with direct_size: weir_readback_wait() returns
// what kernels write there. Write it once, 16 bytes an invocation, and do not read it. Bytes that
// are not written are undefined. It lives as long as the ring. NULL for NULL, for an index that the
// ring does not have, and for a ring without direct_size. Thread-safe.
WEIR_API const weir_buffer *weir_slot_result(const weir_readback *readback,
                                             const struct weir_slot *slot);

// Get the history, for weir_encode.history: a buffer of the ring that all frames read and write,
// one after the other. It is zero for the first submitted frame, and keeps its contents from frame
// to frame. It lives as long as the ring. NULL for NULL and for a ring without one. Thread-safe.
WEIR_API const weir_buffer *weir_readback_history(const weir_readback *readback);

// The control of a slot. Both are NULL for NULL, an index that the ring does not have, and a ring
// without control.
struct weir_slot_control {
    const weir_buffer *buffer; // for kernels
    void *data;                // the same bytes for the host, aligned to 16
};

// Get the control of a slot. The host may write it between begin() and submit(). It may read it
// after weir_readback_wait() or weir_readback_wait_control() until the next begin() of the slot. It
// keeps its bytes between frames, and is zero before the first. It lives as long as the ring.
// Thread-safe.
WEIR_API struct weir_slot_control weir_slot_get_control(const weir_readback *readback,
                                                        uint32_t slot_index);

// End the command buffer and submit it. On the GPU it waits for the frame's `wait`, runs the
// commands, gives the image back in its layout and to its queue family, signals the frame's
// `signal`, and then copies the result to host memory, or runs the tail. The frame is that of
// begin(). `*released`, if `released` is not NULL, becomes the timeline point at which the image is
// the host's again. The slot stays in use until weir_readback_release(), also after an error. After
// an error nothing is waited for and signalled. If only the transfer queue refuses the copy,
// submit() succeeds, the image comes back, and weir_readback_wait() returns the error.
// Errors: WEIR_ERROR_INVALID (NULL, or a slot that is not between begin() and submit()),
// WEIR_ERROR_OUT_OF_MEMORY, WEIR_ERROR_DEVICE_LOST, WEIR_ERROR_VULKAN.
WEIR_API enum weir_result weir_readback_submit(weir_readback *readback,
                                               const struct weir_slot *slot,
                                               struct weir_point *released);

// Skip a frame: wait for frame->wait, give the image back and signal frame->signal and `released`,
// as submit() does. So the host's loop is the same for a dropped frame. Frames that begin() refuses
// are accepted too. If such a frame has no image, an image of another context, a layout that is not
// allowed, or a queue family that the device does not have, only its semaphores are waited for and
// signalled. Its image then stays with Weir's queue family; the host can only discard its contents.
// Blocks only if the image changes its queue family while sixteen skipped frames are in flight.
// Errors: WEIR_ERROR_INVALID (NULL, an image of another device), WEIR_ERROR_OUT_OF_MEMORY,
// WEIR_ERROR_DEVICE_LOST, WEIR_ERROR_VULKAN. Nothing is waited for and signalled then.
WEIR_API enum weir_result weir_readback_pass(weir_readback *readback,
                                             const struct weir_frame *frame,
                                             struct weir_point *released);

// The result of a slot in host memory, and its GPU time.
struct weir_readback_data {
    // `size` bytes; the caller may write to them, to the `headroom` bytes before them and to the
    // gap. The second of two parts begins `first_size` + `gap` bytes from here.
    uint8_t *data;
    uint64_t size; // of the result, without the gap, or direct_size [bytes]
    // GPU time of a frame's kernels, the tail included [ns]; 0 if it cannot be measured. Time
    // stamps stall kernels, so only the first and every 64th frame are timed. Other frames repeat
    // the last value.
    uint64_t gpu_ns;
    const void *control; // that of weir_slot_get_control()
};

// Sleep until the result of a submitted slot is in host memory. It is valid until release().
// WEIR_NOT_READY: `timeout_ns` has passed. Errors: WEIR_ERROR_INVALID (NULL, a slot that was not
// submitted), WEIR_ERROR_OUT_OF_MEMORY, WEIR_ERROR_DEVICE_LOST, WEIR_ERROR_VULKAN.
WEIR_API enum weir_result weir_readback_wait(weir_readback *readback, uint32_t slot_index,
                                             uint64_t timeout_ns, struct weir_readback_data *data);

// Sleep until the kernels of a submitted slot have run, so that its control can be read. Call it on
// the thread of submit(), even after another thread has waited for the slot or released it.
// WEIR_NOT_READY: `timeout_ns` has passed. Errors: WEIR_ERROR_INVALID (NULL, a slot that was not
// submitted, a ring without control), WEIR_ERROR_DEVICE_LOST, WEIR_ERROR_VULKAN.
WEIR_API enum weir_result weir_readback_wait_control(weir_readback *readback, uint32_t slot_index,
                                                     uint64_t timeout_ns);

// Free a slot after wait() returned WEIR_OK or the error of a refused copy, or after submit()
// failed. Its result is no longer valid. For any other slot the call does nothing, because the GPU
// may still use it.
WEIR_API void weir_readback_release(weir_readback *readback, uint32_t slot_index);

// True if weir_readback_destroy() would not wait: the GPU has finished all submissions of the ring,
// or the device is lost. True for NULL. Never blocks. Thread safety: as begin().
WEIR_API bool weir_readback_is_idle(weir_readback *readback);
