// SPDX-License-Identifier: MIT
// Builds the batch that takes a frame and gives it back.
#include "readback/batch.h"

#include "frame/handover.h"

void weir_batch_init(struct weir_batch *batch, weir_readback *readback,
                     const struct weir_frame *frame, const VkCommandBuffer *cmd)
{
    batch->wait_stage = weir_frame_wait_stages(frame);
    batch->signals[0] = readback->timeline;
    batch->signals[1] = frame->signal;
    batch->signal_values[0] = ++readback->last_value;
    batch->signal_values[1] = 0; // binary
    const uint32_t num_waits = frame->wait.semaphore ? 1 : 0;
    const uint32_t num_signals = frame->signal ? 2 : 1;
    batch->values = (VkTimelineSemaphoreSubmitInfo){
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
        .waitSemaphoreValueCount = num_waits,
        .pWaitSemaphoreValues = &frame->wait.value,
        .signalSemaphoreValueCount = num_signals,
        .pSignalSemaphoreValues = batch->signal_values,
    };
    batch->submit = (VkSubmitInfo){
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .pNext = &batch->values,
        .waitSemaphoreCount = num_waits,
        .pWaitSemaphores = &frame->wait.semaphore,
        .pWaitDstStageMask = &batch->wait_stage,
        .commandBufferCount = cmd ? 1 : 0,
        .pCommandBuffers = cmd,
        .signalSemaphoreCount = num_signals,
        .pSignalSemaphores = batch->signals,
    };
}

enum weir_result weir_batch_begin_commands(weir_context *context, VkCommandBuffer cmd)
{
    const VkCommandBufferBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
    };
    return weir_vk_check(context, context->vk.BeginCommandBuffer(cmd, &info),
                         "vkBeginCommandBuffer");
}

void weir_batch_set_released(const weir_readback *readback, uint64_t value,
                             struct weir_point *released)
{
    if (released) {
        *released = (struct weir_point){.semaphore = readback->timeline, .value = value};
    }
}
