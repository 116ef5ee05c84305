// SPDX-License-Identifier: MIT
// The time of a part of one submission: by the device's time stamps, or by the host's clock on a
// software device.
#include "tests/bench/stopwatch.h"

#include "capture/base/clock.h"
#include "capture/weir/common/report.h"

bool bench_stopwatch_is_host(const struct cli_gpu *gpu)
{
    return gpu->properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
}

enum weir_result bench_stopwatch_check(const struct cli_gpu *gpu)
{
    if (gpu->timestamp_bits > 0 || bench_stopwatch_is_host(gpu)) {
        return WEIR_OK;
    }
    cli_report_error("queue family %u of %s has no timestamps", gpu->queue.family,
                     gpu->properties.deviceName);
    return WEIR_ERROR_UNSUPPORTED;
}

enum weir_result bench_stopwatch_init(struct bench_stopwatch *watch, struct cli_gpu *gpu)
{
    *watch = (struct bench_stopwatch){.gpu = gpu};
    const VkQueryPoolCreateInfo queries = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .queryType = VK_QUERY_TYPE_TIMESTAMP,
        .queryCount = 2,
    };
    enum weir_result result = cli_commands_allocate(gpu, &watch->commands);
    if (result == WEIR_OK && !bench_stopwatch_is_host(gpu)) {
        result = cli_gpu_check(vkCreateQueryPool(gpu->vk, &queries, NULL, &watch->queries),
                               "vkCreateQueryPool");
    }
    return result;
}

void bench_stopwatch_finish(struct bench_stopwatch *watch)
{
    if (!watch->gpu) {
        return;
    }
    vkDestroyQueryPool(watch->gpu->vk, watch->queries, NULL);
    if (watch->commands != VK_NULL_HANDLE) {
        vkFreeCommandBuffers(watch->gpu->vk, watch->gpu->pool, 1, &watch->commands);
    }
    *watch = (struct bench_stopwatch){0};
}

// At the bottom of the pipe both: the first is written when all before it has ended.
static void mark(struct bench_stopwatch *watch, uint32_t query)
{
    if (watch->queries != VK_NULL_HANDLE) {
        vkCmdWriteTimestamp(watch->commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, watch->queries,
                            query);
    }
}

enum weir_result bench_stopwatch_begin(struct bench_stopwatch *watch)
{
    const enum weir_result result = cli_commands_begin(watch->commands);
    if (result == WEIR_OK && watch->queries != VK_NULL_HANDLE) {
        vkCmdResetQueryPool(watch->commands, watch->queries, 0, 2);
    }
    return result;
}

void bench_stopwatch_start(struct bench_stopwatch *watch)
{
    mark(watch, 0);
}

void bench_stopwatch_stop(struct bench_stopwatch *watch)
{
    mark(watch, 1);
}

static enum weir_result read_timestamps(const struct bench_stopwatch *watch, double *ns)
{
    const struct cli_gpu *gpu = watch->gpu;
    uint64_t ticks[2];
    const enum weir_result result = cli_gpu_check(
        vkGetQueryPoolResults(gpu->vk, watch->queries, 0, 2, sizeof(ticks), ticks, sizeof(ticks[0]),
                              VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
        "vkGetQueryPoolResults");
    if (result != WEIR_OK) {
        return result;
    }
    const uint64_t mask = gpu->timestamp_bits >= 64 ? UINT64_MAX
                                                    : ((uint64_t)1 << gpu->timestamp_bits) - 1;
    *ns = (double)((ticks[1] - ticks[0]) & mask) * (double)gpu->properties.limits.timestampPeriod;
    return WEIR_OK;
}

enum weir_result bench_stopwatch_submit(struct bench_stopwatch *watch, double *ns)
{
    struct weir_point done = {0};
    const uint64_t start = weir_clock_ns();
    enum weir_result result = cli_commands_submit(watch->gpu, watch->commands, &done);
    if (result == WEIR_OK) {
        result = cli_gpu_wait(watch->gpu, done);
    }
    *ns = (double)(weir_clock_ns() - start);
    return result == WEIR_OK && watch->queries != VK_NULL_HANDLE ? read_timestamps(watch, ns)
                                                                 : result;
}
