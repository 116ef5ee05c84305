// SPDX-License-Identifier: MIT
// The time of parts of a submission: by the device's time stamps, or by the host's clock on a
// software device.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "capture/weir/gpu/gpu.h"
#include "tests/bench/times.h"

// True if times are taken with the host's clock, because the time stamps of a software device do
// not measure its work.
bool bench_timing_is_host(const struct cli_gpu *gpu);
// WEIR_ERROR_UNSUPPORTED, and the reason is printed, where there is no clock at all.
enum weir_result bench_timing_check(const struct cli_gpu *gpu);
// A timer of one part, which times nothing where the host's clock counts. Finish it in every case.
void bench_timing_init(struct cli_timer *timer, struct cli_gpu *gpu);

// What a submission records for each of its parts. `before` and `after` are not timed, but by the
// host's clock, and may be NULL.
struct bench_part {
    enum weir_result (*before)(void *user, VkCommandBuffer commands);
    enum weir_result (*record)(void *user, VkCommandBuffer commands);
    enum weir_result (*after)(void *user, VkCommandBuffer commands);
    void *user;
};

// Submit so many parts, wait until they are done, and add their times, each divided by `repeats`.
enum weir_result bench_submit(struct cli_timer *timer, const struct bench_part *part,
                              uint32_t num_parts, uint32_t repeats, struct bench_samples *samples);

// Record a copy of level 0 between images of one size, in layouts for that.
void bench_copy(VkCommandBuffer commands, const struct weir_image_params *source,
                const struct weir_image_params *target);

// Record a barrier between any work of these stages: of COMPUTE_SHADER, TRANSFER and HOST, the last
// of which reads only.
void bench_barrier(VkCommandBuffer commands, VkPipelineStageFlags stages);
enum {
    BENCH_DEVICE_STAGES = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
};

// Wait for a time of weir_clock_ns(), or until the command is interrupted.
void bench_sleep_until(uint64_t ns, bool spin);
