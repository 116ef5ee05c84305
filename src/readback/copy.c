// SPDX-License-Identifier: MIT
// The copy of a slot's result to host memory: on a queue of its own beside the kernels of other
// frames, or behind its kernels on theirs. The timelines of a ring, which several rings may share,
// and the transfers that they belong to.
#include "readback/readback.h"

#include <stdlib.h>

#include "vk/barrier.h"

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
    context->vk.CmdCopyBuffer(slot->copy_cmd, slot->device.memory.buffer, slot->host.memory.buffer,
                              params->first_size > 0 ? 2 : 1, parts);
    weir_vk_barrier(context, slot->copy_cmd, weir_vk_transfer_writes, weir_vk_host_reads);
    weir_vk_label_end(context, slot->copy_cmd);
    return weir_vk_commands_end(context, slot->copy_cmd);
}

void weir_readback_link_copy(struct weir_vk_batch *copy, const weir_readback *readback,
                             const struct weir_slot_state *slot)
{
    const bool is_direct = readback->params.direct_size > 0; // kernels end with the tail
    *copy = (struct weir_vk_batch){
        .wait = slot->transfer > 0 ? readback->timelines->images.semaphore : VK_NULL_HANDLE,
        .wait_value = slot->image_value,
        .wait_stage = VK_PIPELINE_STAGE_TRANSFER_BIT,
        .cmds = {is_direct ? slot->commands->tail : slot->copy_cmd},
        .signals = {readback->timelines->results[slot->transfer].semaphore},
        .signal_values = {slot->result_value},
    };
    if (is_direct && slot->timer < WEIR_READBACK_NUM_TIMERS) {
        copy->cmds[1] = readback->timers.end[slot->timer];
    }
    weir_vk_batch_link(copy);
}

static enum weir_result timeline_init(const weir_readback *readback, const char *name,
                                      struct weir_readback_timeline *timeline)
{
    weir_context *context = readback->context;
    WEIR_TRY(weir_vk_timeline_init(context, &timeline->semaphore));
    weir_vk_name(context, VK_OBJECT_TYPE_SEMAPHORE, (uint64_t)timeline->semaphore, name,
                 readback->params.debug_tag);
    return WEIR_OK;
}

uint32_t weir_readback_transfer_of(const weir_readback *readback, uint32_t slot_index)
{
    const uint32_t num = readback->params.direct_size > 0 ? 0 : readback->context->num_copy_queues;
    return num > 0 ? 1 + slot_index % num : 0;
}

const struct weir_queue *weir_readback_transfer_queue(const weir_context *context,
                                                      uint32_t transfer)
{
    return transfer == 0 ? &context->queue : &context->copy_queues[transfer - 1];
}

enum weir_result weir_readback_timelines_init(weir_readback *readback)
{
    const weir_context *context = readback->context;
    if (readback->params.timeline_of) {
        readback->timelines = readback->params.timeline_of->timelines;
        readback->timelines->num_rings++;
        return WEIR_OK;
    }
    struct weir_readback_timelines *timelines = weir_alloc(&context->log, 1, sizeof(*timelines),
                                                           "the timelines of a readback");
    if (!timelines) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    readback->timelines = timelines;
    timelines->num_rings = 1;
    // For all transfers of the context: rings that share timelines need not use the same.
    WEIR_TRY(timeline_init(readback, "images' timeline", &timelines->images));
    for (uint32_t i = 0; i < 1 + context->num_copy_queues; i++) {
        WEIR_TRY(timeline_init(readback, "results' timeline", &timelines->results[i]));
    }
    return WEIR_OK;
}

void weir_readback_timelines_finish(weir_readback *readback)
{
    const weir_context *context = readback->context;
    struct weir_readback_timelines *timelines = readback->timelines;
    if (timelines && --timelines->num_rings == 0) {
        context->vk.DestroySemaphore(context->device, timelines->images.semaphore, NULL);
        for (int i = 0; i < WEIR_READBACK_MAX_TRANSFERS; i++) {
            context->vk.DestroySemaphore(context->device, timelines->results[i].semaphore, NULL);
        }
        free(timelines);
    }
}
