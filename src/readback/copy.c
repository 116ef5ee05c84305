// SPDX-License-Identifier: MIT
// The copy of a slot's result to host memory: on a queue of its own beside the kernels of other
// frames, or behind its kernels on theirs.
#include "readback/readback.h"

#include "vk/barrier.h"
#include "vk/context.h"

enum weir_result weir_readback_record_copy(const weir_readback *readback,
                                           const struct weir_slot_state *slot)
{
    weir_context *context = readback->context;
    WEIR_TRY(weir_vk_commands_begin(context, slot->copy_cmd, 0));
    const struct weir_readback_params *params = &readback->params;
    const uint64_t first_size = params->first_size > 0 ? params->first_size : params->size;
    const VkBufferCopy parts[] = {
        {.dstOffset = readback->result_offset, .size = first_size},
        {.srcOffset = first_size,
         .dstOffset = readback->result_offset + first_size + params->gap,
         .size = params->size - first_size},
    };
    weir_vk_label_begin(context, slot->copy_cmd, "readback");
    if (slot->transfer == 0) { // else the submission waits for a semaphore
        weir_vk_barrier(context, slot->copy_cmd, weir_vk_kernel_writes, weir_vk_transfer_reads);
    }
    context->vk.CmdCopyBuffer(slot->copy_cmd, slot->device.buffer, slot->host.buffer,
                              params->first_size > 0 ? 2 : 1, parts);
    weir_vk_barrier(context, slot->copy_cmd, weir_vk_transfer_writes, weir_vk_host_reads);
    weir_vk_label_end(context, slot->copy_cmd);
    return weir_vk_commands_end(context, slot->copy_cmd);
}

void weir_readback_copy_init(struct weir_readback_copy *copy, const weir_readback *readback,
                             const struct weir_slot_state *slot)
{
    const bool has_own_queue = slot->transfer > 0;
    const bool is_timed = readback->params.direct_size > 0 &&
                          slot->timer < WEIR_READBACK_NUM_TIMERS; // kernels end with the tail
    copy->cmds[0] = slot->copy_cmd;
    if (is_timed) {
        copy->cmds[1] = readback->timers.end[slot->timer];
    }
    copy->wait_stage = VK_PIPELINE_STAGE_TRANSFER_BIT;
    copy->values = (VkTimelineSemaphoreSubmitInfo){
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
        .waitSemaphoreValueCount = has_own_queue,
        .pWaitSemaphoreValues = &slot->image_value,
        .signalSemaphoreValueCount = 1,
        .pSignalSemaphoreValues = &slot->result_value,
    };
    copy->submit = (VkSubmitInfo){
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .pNext = &copy->values,
        .waitSemaphoreCount = has_own_queue,
        .pWaitSemaphores = &readback->timelines->images.semaphore,
        .pWaitDstStageMask = &copy->wait_stage,
        .commandBufferCount = is_timed ? 2 : 1,
        .pCommandBuffers = copy->cmds,
        .signalSemaphoreCount = 1,
        .pSignalSemaphores = &readback->timelines->results[slot->transfer].semaphore,
    };
}
