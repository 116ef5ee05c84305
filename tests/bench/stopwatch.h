// SPDX-License-Identifier: MIT
// The time of a part of one submission: by the device's time stamps, or by the host's clock on a
// software device.
#ifndef WEIR_TESTS_BENCH_STOPWATCH_H
#define WEIR_TESTS_BENCH_STOPWATCH_H

#include <stdbool.h>

#include "capture/weir/gpu/timer.h"

// True if times are taken with the host's clock, because the time stamps of a software device do
// not measure its work.
bool bench_stopwatch_is_host(const struct cli_gpu *gpu);
// WEIR_ERROR_UNSUPPORTED, and the reason is printed, where there is no clock at all.
enum weir_result bench_stopwatch_check(const struct cli_gpu *gpu);

// A timer of one part, which times nothing where the host's clock counts. Finish it in every case.
enum weir_result bench_stopwatch_init(struct cli_timer *watch, struct cli_gpu *gpu);

// Submit, wait until it is done, and return the time of the part [ns]; on the host's clock that of
// the whole submission.
enum weir_result bench_stopwatch_submit(struct cli_timer *watch, double *ns);

#endif
