// SPDX-License-Identifier: MIT
// Frames in flight: slots, which are used again when their submissions have been executed.
#ifndef SAMPLE_FRAMES_H
#define SAMPLE_FRAMES_H

#include "gpu.h"

#define FRAMES_MAX_SLOTS 4

struct frames_slot {
    VkSemaphore available;  // binary: the presentation engine has done with the image
    struct weir_point done; // all of the slot's work has been executed
};

struct frames {
    const struct gpu *gpu;
    uint32_t num_slots;
    struct frames_slot slots[FRAMES_MAX_SLOTS];
};

bool frames_init(const struct gpu *gpu, uint32_t num_slots, struct frames *frames);
// Waits until all submitted work has been executed.
void frames_finish(struct frames *frames);

// Wait until the slot's last frame has been executed.
bool frames_reuse(const struct frames *frames, uint32_t slot);

// Wait until everything submitted so far has been executed.
bool frames_wait(const struct frames *frames);

// Do the same for at most this long. `*done` becomes true when everything has been executed.
bool frames_wait_for(const struct frames *frames, uint64_t timeout_ns, bool *done);

// Begin a command buffer, and submit it as the slot's. `*done` becomes the point at which it has
// been executed.
bool frames_begin(const struct frames *frames, VkCommandBuffer *cmd);
bool frames_submit(struct frames *frames, uint32_t slot, VkCommandBuffer cmd,
                   const struct weir_gpu_submission *submission, struct weir_point *done);

#endif
