// SPDX-License-Identifier: MIT
// The time of parts of a submission: by the device's time stamps, or by the host's clock on a
// software device.
#include "tests/bench/timing.h"

#include <time.h>

#include "capture/base/clock.h"
#include "capture/weir/common/interrupt.h"
#include "capture/weir/common/report.h"
#include "tests/bench/bench.h"

enum { MAX_PARTS = 32 };

bool bench_timing_is_host(const struct cli_gpu *gpu)
{
    return gpu->properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
}

enum weir_result bench_timing_check(const struct cli_gpu *gpu)
{
    if (gpu->timestamp_bits > 0 || bench_timing_is_host(gpu)) {
        return WEIR_OK;
    }
    cli_report_error("queue family %u of %s has no timestamps", gpu->queue.family,
                     gpu->properties.deviceName);
    return WEIR_ERROR_UNSUPPORTED;
}

void bench_timing_init(struct cli_timer *timer, struct cli_gpu *gpu)
{
    cli_timer_init(timer, gpu, bench_timing_is_host(gpu) ? 0 : 1);
}

static enum weir_result record_part(struct cli_timer *timer, const struct bench_part *part,
                                    uint32_t i)
{
    VkCommandBuffer commands = timer->commands;
    if (part->before) {
        WEIR_TRY(part->before(part->user, commands));
    }
    cli_timer_start(timer, i);
    WEIR_TRY(part->record(part->user, commands));
    cli_timer_stop(timer, i);
    return part->after ? part->after(part->user, commands) : WEIR_OK;
}

enum weir_result bench_submit(struct cli_timer *timer, const struct bench_part *part,
                              uint32_t num_parts, uint32_t repeats, struct bench_samples *samples)
{
    double ns[MAX_PARTS];
    WEIR_TRY(cli_timer_begin(timer));
    for (uint32_t i = 0; i < num_parts; i++) {
        WEIR_TRY(record_part(timer, part, i));
    }
    const uint64_t start = weir_clock_ns();
    WEIR_TRY(cli_timer_run(timer, num_parts, ns));
    const double host_ns = (double)(weir_clock_ns() - start) / num_parts;
    for (uint32_t i = 0; i < num_parts; i++) {
        bench_samples_add(samples, (timer->queries != VK_NULL_HANDLE ? ns[i] : host_ns) / repeats);
    }
    return WEIR_OK;
}

void bench_copy(VkCommandBuffer commands, const struct weir_image_params *source,
                const struct weir_image_params *target)
{
    const VkImageSubresourceLayers layers = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    const VkImageCopy region = {.srcSubresource = layers,
                                .dstSubresource = layers,
                                .extent = {target->width, target->height, 1}};
    vkCmdCopyImage(commands, source->image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, target->image,
                   VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region);
}

void bench_barrier(VkCommandBuffer commands, VkPipelineStageFlags stages)
{
    const bool compute = stages & VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
    const bool transfer = stages & VK_PIPELINE_STAGE_TRANSFER_BIT;
    const bool host = stages & VK_PIPELINE_STAGE_HOST_BIT;
    const VkAccessFlags writes = (compute ? VK_ACCESS_SHADER_WRITE_BIT : 0u) |
                                 (transfer ? VK_ACCESS_TRANSFER_WRITE_BIT : 0u);
    const VkAccessFlags reads = (compute ? VK_ACCESS_SHADER_READ_BIT : 0u) |
                                (transfer ? VK_ACCESS_TRANSFER_READ_BIT : 0u) |
                                (host ? VK_ACCESS_HOST_READ_BIT : 0u);
    const VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = writes,
        .dstAccessMask = reads | writes,
    };
    vkCmdPipelineBarrier(commands, stages & ~(VkPipelineStageFlags)VK_PIPELINE_STAGE_HOST_BIT,
                         stages, 0, 1, &barrier, 0, NULL, 0, NULL);
}

void bench_sleep_until(uint64_t ns, bool spin)
{
    while (spin && weir_clock_ns() < ns && !cli_interrupted()) {
        ;
    }
    const struct timespec time = {(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) != 0 &&
           !cli_interrupted()) {
        ;
    }
}
