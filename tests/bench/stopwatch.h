// SPDX-License-Identifier: MIT
// The time of a part of one submission: by the device's time stamps, or by the host's clock on a
// software device.
#ifndef WEIR_TESTS_BENCH_STOPWATCH_H
#define WEIR_TESTS_BENCH_STOPWATCH_H

#include <stdbool.h>

#include "capture/weir/gpu/gpu.h"

struct bench_stopwatch {
    struct cli_gpu *gpu;
    VkQueryPool queries; // null: the host's clock
    VkCommandBuffer commands;
};

// True if times are taken with the host's clock, because the time stamps of a software device do
// not measure its work.
bool bench_stopwatch_is_host(const struct cli_gpu *gpu);
// WEIR_ERROR_UNSUPPORTED, and the reason is printed, where there is no clock at all.
enum weir_result bench_stopwatch_check(const struct cli_gpu *gpu);

// Finish it in every case.
enum weir_result bench_stopwatch_init(struct bench_stopwatch *watch, struct cli_gpu *gpu);
void bench_stopwatch_finish(struct bench_stopwatch *watch);

// Begin watch->commands. What is recorded between start and stop counts; what stands before and
// after them is submitted too, and counts on the host's clock only.
enum weir_result bench_stopwatch_begin(struct bench_stopwatch *watch);
void bench_stopwatch_start(struct bench_stopwatch *watch);
void bench_stopwatch_stop(struct bench_stopwatch *watch);
// Submit, wait until it is done, and return the time [ns].
enum weir_result bench_stopwatch_submit(struct bench_stopwatch *watch, double *ns);

#endif
