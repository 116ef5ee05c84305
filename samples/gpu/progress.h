// SPDX-License-Identifier: MIT
// How far the first frame of a size is. A driver may compile kernels while it executes that frame:
// a software device takes seconds for it.
#ifndef SAMPLE_PROGRESS_H
#define SAMPLE_PROGRESS_H

#include "gpu.h"

#define PROGRESS_MAX_PASSES 16

// The passes of one frame, each with an event that is set when the pass has been executed. Zero but
// for the first three fields to begin with.
struct progress {
    const struct gpu *gpu;
    void (*show)(void *user, const char *text); // optional: called several times a second
    void *user;
    uint32_t num_passes;
    const char *names[PROGRESS_MAX_PASSES];
    VkEvent events[PROGRESS_MAX_PASSES];
};

// Record the end of a pass, outside a render pass. `name` must live until progress_wait(). With
// NULL for `progress` nothing is recorded.
void progress_mark(struct progress *progress, VkCommandBuffer cmd, const char *name);

// Wait until all that was submitted has been executed, and say on standard error and by show()
// which pass is waited for. A wait below a tenth of a second says nothing.
bool progress_wait(struct progress *progress);

// Destroy the events. The frame has been executed, or was not submitted.
void progress_finish(struct progress *progress);

#endif
