// SPDX-License-Identifier: MIT
// One slot of a readback ring: device buffer, host buffer, and the commands between them.
#ifndef WEIR_READBACK_SLOT_H
#define WEIR_READBACK_SLOT_H

#include <stdatomic.h>

#include <weir/readback.h>

#include "vk/context.h"
#include "vk/memory.h"

// What the commands of a slot depend on.
struct weir_slot_key {
    uint64_t image_number;
    VkImageLayout layout;
    uint32_t queue_family;
};

struct weir_slot_state {
    struct weir_vk_buffer device; // what kernels write
    struct weir_vk_buffer host;   // `offset` bytes of room, then the result
    weir_buffer *target;          // the device buffer as kernels see it
    VkCommandBuffer kernel_cmd;   // recorded for a frame
    struct weir_slot_key kept;    // what kernel_cmd is recorded for; zero: to be recorded anew
    VkCommandBuffer copy_cmd;     // recorded once: device to host
    uint64_t done_value;          // of the ring's timeline when the result is in host memory
    atomic_bool is_taken;         // set by begin(), cleared by release()
    bool is_submitted;            // false between begin() and a submit() that succeeded
    bool is_done;                 // wait() has seen the result, so the GPU has left the slot
};

struct weir_slot_layout {
    uint64_t size;   // of a result [bytes]
    uint64_t offset; // of the result in the host buffer: the headroom, rounded up [bytes]
};

enum weir_result weir_slot_init(weir_context *context, VkCommandPool pool,
                                const struct weir_slot_layout *layout, const char *tag,
                                struct weir_slot_state *out);
void weir_slot_finish(weir_context *context, struct weir_slot_state *slot);

#endif
