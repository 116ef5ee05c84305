// SPDX-License-Identifier: MIT
// Commands, and the time that parts of them take by the device's time stamps.
#include "capture/weir/gpu/timer.h"

enum weir_result cli_timer_init(struct cli_timer *timer, struct cli_gpu *gpu, uint32_t num_parts)
{
    *timer = (struct cli_timer){.gpu = gpu, .num_parts = num_parts};
    const VkQueryPoolCreateInfo queries = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .queryType = VK_QUERY_TYPE_TIMESTAMP,
        .queryCount = 2 * num_parts,
    };
    return num_parts > 0 && gpu->timestamp_bits > 0
               ? cli_gpu_check_made(vkCreateQueryPool(gpu->vk, &queries, NULL, &timer->queries),
                                    "vkCreateQueryPool", &timer->queries)
               : WEIR_OK;
}

void cli_timer_finish(struct cli_timer *timer)
{
    if (!timer->gpu) {
        return;
    }
    vkDestroyQueryPool(timer->gpu->vk, timer->queries, NULL);
    *timer = (struct cli_timer){0};
}

enum weir_result cli_timer_begin(struct cli_timer *timer)
{
    const enum weir_result result = weir_gpu_begin(timer->gpu->work, &timer->commands);
    if (result == WEIR_OK && timer->queries != VK_NULL_HANDLE) {
        vkCmdResetQueryPool(timer->commands, timer->queries, 0, 2 * timer->num_parts);
    }
    return result;
}

// At the bottom of the pipe both: the first is written when all before it has ended.
static void mark(struct cli_timer *timer, uint32_t query)
{
    if (timer->queries != VK_NULL_HANDLE) {
        vkCmdWriteTimestamp(timer->commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, timer->queries,
                            query);
    }
}

void cli_timer_start(struct cli_timer *timer, uint32_t part)
{
    mark(timer, 2 * part);
}

void cli_timer_stop(struct cli_timer *timer, uint32_t part)
{
    mark(timer, 2 * part + 1);
}

static enum weir_result read_part(const struct cli_timer *timer, uint32_t part, double *ns)
{
    const struct cli_gpu *gpu = timer->gpu;
    uint64_t ticks[2];
    const enum weir_result result = cli_gpu_check(
        vkGetQueryPoolResults(gpu->vk, timer->queries, 2 * part, 2, sizeof(ticks), ticks,
                              sizeof(ticks[0]), VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
        "vkGetQueryPoolResults");
    const uint64_t mask = gpu->timestamp_bits >= 64 ? UINT64_MAX
                                                    : ((uint64_t)1 << gpu->timestamp_bits) - 1;
    if (result == WEIR_OK) {
        *ns = (double)((ticks[1] - ticks[0]) & mask) *
              (double)gpu->properties.limits.timestampPeriod;
    }
    return result;
}

enum weir_result cli_timer_run(struct cli_timer *timer, uint32_t num, double *ns)
{
    enum weir_result result = weir_gpu_run(timer->gpu->work, timer->commands);
    for (uint32_t i = 0; i < num && result == WEIR_OK && timer->queries != VK_NULL_HANDLE; i++) {
        result = read_part(timer, i, &ns[i]);
    }
    return result;
}
