// SPDX-License-Identifier: MIT
// Weir's half of taking a frame's image from the host and giving it back.
#ifndef WEIR_FRAME_HANDOVER_H
#define WEIR_FRAME_HANDOVER_H

#include <weir/frame.h>

// Check a frame of which only the semaphores are used, and the image only where
// weir_frame_can_hand_over(). Returns WEIR_OK, or an error, which is logged.
enum weir_result weir_frame_check_pass(const weir_context *context, const struct weir_frame *frame);

// True if the frame's image can be taken and given back, with its layout, by this context.
bool weir_frame_can_hand_over(const weir_context *context, const struct weir_frame *frame);

// The stages in which weir_cmd_frame_take() first uses the image. A semaphore wait must block them.
VkPipelineStageFlags weir_frame_wait_stages(const struct weir_frame *frame);

// Make the image readable by kernels: SHADER_READ_ONLY_OPTIMAL on Weir's queue family.
void weir_cmd_frame_take(const struct weir_frame *frame, VkCommandBuffer cmd);

// Give the image back in frame->layout and to frame->queue_family.
void weir_cmd_frame_give(const struct weir_frame *frame, VkCommandBuffer cmd);

// Take the image and give it back at once, for a frame that no kernel reads.
void weir_cmd_frame_pass(const struct weir_frame *frame, VkCommandBuffer cmd);

#endif
