// SPDX-License-Identifier: MIT
// The batch by which a frame's image comes to Weir and goes back.
#ifndef WEIR_READBACK_BATCH_H
#define WEIR_READBACK_BATCH_H

#include "readback/state.h"

// A batch that waits for the frame and, when its commands are done, gives the image back: signals
// the next value of the ring's timeline and the host's binary semaphore. Points into itself: do not
// copy.
struct weir_batch {
    VkSubmitInfo submit;
    VkTimelineSemaphoreSubmitInfo values;
    VkPipelineStageFlags wait_stage;
    VkSemaphore signals[2];
    uint64_t signal_values[2];
};

// `cmd` is NULL for a batch without commands.
void weir_batch_init(struct weir_batch *batch, weir_readback *readback,
                     const struct weir_frame *frame, const VkCommandBuffer *cmd);

// Begin a command buffer anew.
enum weir_result weir_batch_begin_commands(weir_context *context, VkCommandBuffer cmd);

// Set `*released`, if not NULL, to a value of the ring's timeline.
void weir_batch_set_released(const weir_readback *readback, uint64_t value,
                             struct weir_point *released);

#endif
