// SPDX-License-Identifier: MIT
// Frames in flight: command buffers in slots, and one timeline that counts their submissions.
#ifndef SAMPLE_FRAMES_H
#define SAMPLE_FRAMES_H

#include <weir/frame.h>

#include "gpu.h"

#define FRAMES_MAX_SLOTS 4

struct frames_slot {
    VkCommandPool pool;
    VkCommandBuffer render;
    VkCommandBuffer acquire; // takes the image back from Weir's queue family before it is presented
    VkSemaphore available;   // binary: the presentation engine has done with the image
    uint64_t value;          // the timeline's value when all of the slot's work has been executed
};

struct frames {
    const struct gpu *gpu;
    VkSemaphore timeline;
    uint64_t value; // the timeline's value after the last submission
    uint32_t num_slots;
    struct frames_slot slots[FRAMES_MAX_SLOTS];
};

bool frames_init(const struct gpu *gpu, uint32_t num_slots, struct frames *frames);
// Waits until all submitted work has been executed.
void frames_finish(struct frames *frames);

// Wait until the slot's last frame has been executed, and make its command buffers free again.
bool frames_reuse(struct frames *frames, uint32_t slot);

// Wait until everything submitted so far has been executed.
bool frames_wait(const struct frames *frames);

// Do the same for at most this long. `*done` becomes true when everything has been executed.
bool frames_wait_for(const struct frames *frames, uint64_t timeout_ns, bool *done);

// The semaphores that a submission waits for and signals.
struct frames_submit {
    struct point_at {
        struct weir_point point; // a null semaphore: nothing to wait for
        VkPipelineStageFlags stage;
    } wait;
    VkSemaphore signal; // binary; may be null
};
// Submit one of the slot's command buffers. `*done` becomes the point at which it has been
// executed.
bool frames_submit(struct frames *frames, uint32_t slot, VkCommandBuffer cmd,
                   const struct frames_submit *submit, struct weir_point *done);

// Begin a command buffer that is submitted once.
bool frames_begin(VkCommandBuffer cmd);

#endif
