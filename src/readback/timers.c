// SPDX-License-Identifier: MIT
// The GPU time of frames: time stamps in commands of their own around the kernels of some.
#include "readback/readback.h"

#include "vk/barrier.h"

enum { NUM_TIMERS = WEIR_READBACK_NUM_TIMERS };

static enum weir_result record_begin(const weir_readback *readback, uint32_t timer)
{
    // What the frame's semaphore holds back is in one of these stages.
    static const struct weir_vk_scope before = {
        VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT, 0};
    static const struct weir_vk_scope kernels = {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0};
    weir_context *context = readback->context;
    const VkCommandBuffer cmd = readback->timers.begin[timer];
    const VkQueryPool queries = readback->timers.queries;
    WEIR_TRY(weir_vk_commands_begin(context, cmd, 0));
    context->vk.CmdResetQueryPool(cmd, queries, 2 * timer, 2);
    weir_vk_barrier(context, cmd, before, kernels);
    context->vk.CmdWriteTimestamp(cmd, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, queries, 2 * timer);
    return weir_vk_commands_end(context, cmd);
}

static enum weir_result record_end(const weir_readback *readback, uint32_t timer)
{
    weir_context *context = readback->context;
    const VkCommandBuffer cmd = readback->timers.end[timer];
    WEIR_TRY(weir_vk_commands_begin(context, cmd, 0));
    context->vk.CmdWriteTimestamp(cmd, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                                  readback->timers.queries, 2 * timer + 1);
    return weir_vk_commands_end(context, cmd);
}

enum weir_result weir_readback_timers_init(weir_readback *readback)
{
    struct weir_readback_timers *timers = &readback->timers;
    weir_context *context = readback->context;
    const VkQueryPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .queryType = VK_QUERY_TYPE_TIMESTAMP,
        .queryCount = 2 * NUM_TIMERS,
    };
    if (context->timestamp_bits == 0) {
        return WEIR_OK;
    }
    WEIR_TRY(WEIR_VK_MAKE(context, QueryPool, &info, &timers->queries));
    WEIR_TRY(weir_vk_commands_allocate(context, readback->pools[0], NUM_TIMERS, timers->begin));
    WEIR_TRY(weir_vk_commands_allocate(context, readback->pools[0], NUM_TIMERS, timers->end));
    for (uint32_t i = 0; i < NUM_TIMERS; i++) {
        WEIR_TRY(record_begin(readback, i));
        WEIR_TRY(record_end(readback, i));
    }
    return WEIR_OK;
}

void weir_readback_timers_finish(weir_readback *readback)
{
    weir_context *context = readback->context;
    context->vk.DestroyQueryPool(context->device, readback->timers.queries, NULL);
}

uint32_t weir_readback_timer_take(weir_readback *readback)
{
    struct weir_readback_timers *timers = &readback->timers;
    const uint64_t number = timers->num_frames++;
    return timers->queries && number % WEIR_READBACK_TIMED_EVERY == 0
               ? (uint32_t)(number / WEIR_READBACK_TIMED_EVERY % NUM_TIMERS)
               : NUM_TIMERS;
}

uint64_t weir_readback_timer_read(weir_readback *readback, uint32_t timer)
{
    struct weir_readback_timers *timers = &readback->timers;
    const weir_context *context = readback->context;
    uint64_t ticks[2];
    if (timer < NUM_TIMERS && context->vk.GetQueryPoolResults(
                                  context->device, timers->queries, 2 * timer, 2, sizeof(ticks),
                                  ticks, sizeof(ticks[0]), VK_QUERY_RESULT_64_BIT) == VK_SUCCESS) {
        const uint64_t mask = context->timestamp_bits >= 64
                                  ? UINT64_MAX
                                  : (UINT64_C(1) << context->timestamp_bits) - 1;
        const uint64_t elapsed = (ticks[1] - ticks[0]) & mask;
        timers->gpu_ns = (uint64_t)((double)elapsed * (double)context->limits.timestampPeriod);
    }
    return timers->gpu_ns;
}
