// SPDX-License-Identifier: MIT
// The inside of a readback ring, shared by its files.
//
// Two timeline semaphores count the frames of a ring, or of several: one goes on when an image is
// the host's again, the other when a result is in host memory. Where copies have queues of their
// own, kernels overtake the copies of frames before them, and copies each other: each queue then
// has a timeline of results.
#pragma once

#include <stdatomic.h>

#include <weir/readback.h>

#include "vk/context.h"
#include "vk/memory.h"

// The properties of a frame that decide which commands a slot records.
struct weir_slot_key {
    uint64_t image_number;
    VkImageLayout layout;
    uint32_t queue_family;
    uint32_t variant;
};

// A buffer, and how kernels see it. NULL: they do not.
struct weir_readback_buffer {
    struct weir_vk_buffer memory;
    weir_buffer *buffer;
};

// Commands of a slot for one frame, or for all of an image.
struct weir_slot_commands {
    struct weir_slot_key key; // zero: they are not kept
    VkCommandBuffer kernels;
    VkCommandBuffer tail; // of a direct ring
};

// A frame of another image finds the slots in another order, so a slot keeps the commands of as
// many images as swapchains commonly have.
enum {
    WEIR_READBACK_MAX_SLOTS = 64,
    WEIR_READBACK_NUM_KEPT = WEIR_SLOT_MAX_COMMANDS / WEIR_READBACK_MAX_SLOTS,
};

struct weir_slot_state {
    struct weir_readback_buffer device; // kernels write the result here
    // result_offset bytes of free space, then the result's parts. NULL: the result is copied there.
    struct weir_readback_buffer host;
    struct weir_readback_buffer control; // shared by the host and the kernels. NULL: none
    struct weir_frame frame;             // as begin() took it
    struct weir_slot_commands kept[WEIR_READBACK_NUM_KEPT];
    struct weir_slot_commands *commands; // of the frame
    uint32_t next_kept;                  // whose place the next commands take
    VkCommandBuffer copy_cmd;            // recorded once: device to host; of a direct ring none
    uint64_t image_value;                // of the timeline of images when the kernels have run
    uint64_t result_value;               // of that of results when the result is in host memory
    uint32_t transfer;                   // on which the result is copied
    uint32_t timer;                      // NUM_TIMERS: the frame is not timed
    enum weir_result copied; // the answer to the submission of the copy, if it has its own
    atomic_bool is_taken;    // set by begin(), cleared by release()
    bool zeroes;             // the commands zero the history, so it serves for one frame
    bool is_begun;           // true between begin() and submit()
    bool is_submitted;       // false between begin() and a submit() that succeeded
    bool is_done;            // wait() has seen the result, so the GPU has left the slot
};

enum {
    WEIR_READBACK_NUM_PASSES = 16, // frames that pass without a result, in flight at a time
    // A time stamp waits for the bus, behind the copies of other frames, and kernels wait for the
    // time stamp: 15 us of the 62 of a frame of 1920x1080 (docs/benchmarks.md). So few frames have
    // them, and the timers are as many as such frames may be in flight.
    WEIR_READBACK_TIMED_EVERY = 64,
    WEIR_READBACK_NUM_TIMERS = WEIR_READBACK_MAX_SLOTS / WEIR_READBACK_TIMED_EVERY + 1,
    // A transfer is a queue that copies results, and their timeline. Number 0 is the queue of
    // kernels, the others are queues for copies.
    WEIR_READBACK_MAX_TRANSFERS = 1 + WEIR_MAX_TRANSFER_QUEUES,
};

// A command buffer that gives a frame's image back without reading it.
struct weir_pass {
    VkCommandBuffer cmd;
    uint64_t image_value; // of the timeline of images when it is done
};

// All but the semaphore belongs to the thread that submits.
struct weir_readback_timeline {
    VkSemaphore semaphore;
    uint64_t last_value; // signalled by the last submission
};

// The timelines of one ring or several.
struct weir_readback_timelines {
    struct weir_readback_timeline images;
    struct weir_readback_timeline results[WEIR_READBACK_MAX_TRANSFERS];
    uint32_t num_rings;
};

// Time stamps around the kernels of one frame in some.
struct weir_readback_timers {
    VkQueryPool queries; // two for each timer; null: the queue has no time stamps
    VkCommandBuffer begin[WEIR_READBACK_NUM_TIMERS], end[WEIR_READBACK_NUM_TIMERS];
    uint64_t num_frames; // submitted. For the thread that submits
    uint64_t gpu_ns;     // of the last frame that was timed. For the thread that waits
};

// The image of frames that had another size.
struct weir_readback_resized {
    struct weir_vk_image memory;
    weir_image *image; // as kernels see it. NULL: the ring has none
};

struct weir_readback {
    weir_context *context;
    struct weir_readback_params params;
    uint64_t result_offset;                           // in a slot's host buffer [bytes]
    VkCommandPool pools[WEIR_READBACK_MAX_TRANSFERS]; // null: the ring does not use the transfer
    struct weir_readback_timelines *timelines;
    // Their values that the ring's last submissions signal.
    uint64_t last_image, last_results[WEIR_READBACK_MAX_TRANSFERS];
    struct weir_readback_timers timers;
    uint32_t next_slot;
    uint32_t next_pass;
    struct weir_readback_buffer history; // stays from frame to frame. NULL: the ring has none
    bool is_history_zeroed;              // by a frame that was submitted
    struct weir_readback_resized resized;
    struct weir_pass passes[WEIR_READBACK_NUM_PASSES];
    struct weir_slot_state slots[WEIR_READBACK_MAX_SLOTS];
};

// Make the ring's timelines, or take those of params.timeline_of.
enum weir_result weir_readback_timelines_init(weir_readback *readback);
void weir_readback_timelines_finish(weir_readback *readback);

// Wait until a timeline has reached `value`. WEIR_NOT_READY: `timeout_ns` is over.
enum weir_result weir_readback_wait_value(weir_readback *readback,
                                          const struct weir_readback_timeline *timeline,
                                          uint64_t value, uint64_t timeout_ns);

// Get the transfer that copies the result of a slot. 0 too where the ring has no copies.
uint32_t weir_readback_transfer_of(const weir_readback *readback, uint32_t slot_index);
const struct weir_queue *weir_readback_transfer_queue(const weir_context *context,
                                                      uint32_t transfer);

enum weir_result weir_readback_timers_init(weir_readback *readback);
void weir_readback_timers_finish(weir_readback *readback);
// Get the timer of the next frame, or NUM_TIMERS if it is not to be timed.
uint32_t weir_readback_timer_take(weir_readback *readback);
// Get the GPU time of a frame whose result is there [ns], or that of the last one that was timed.
uint64_t weir_readback_timer_read(weir_readback *readback, uint32_t timer);

// Record the copy of a slot's result from the device buffer to the host buffer.
enum weir_result weir_readback_record_copy(const weir_readback *readback,
                                           const struct weir_slot_state *slot);

// Make the submission of a slot's copy, or of its tail.
void weir_readback_link_copy(struct weir_vk_batch *copy, const weir_readback *readback,
                             const struct weir_slot_state *slot);

enum weir_result weir_readback_resized_init(weir_readback *readback);
void weir_readback_resized_finish(weir_readback *readback);
// Find what kernels read of a frame with that image. Errors: WEIR_ERROR_UNSUPPORTED.
enum weir_result weir_readback_resized_find(const weir_readback *readback, const weir_image *image,
                                            const weir_image **out);
// Record how a frame that was received becomes that image.
void weir_cmd_readback_resize(const weir_readback *readback, VkCommandBuffer cmd,
                              const weir_image *image);
