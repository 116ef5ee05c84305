// SPDX-License-Identifier: MIT
// The timelines of a ring, which several rings may share, and the transfers that they belong to.
#include "readback/readback.h"

#include <stdlib.h>

#include "vk/context.h"

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
