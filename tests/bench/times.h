// SPDX-License-Identifier: MIT
// Measured times, and their order statistics.
#pragma once

#include <stddef.h>
#include <stdint.h>

// All times are in microseconds.
struct bench_times {
    uint64_t num;
    double min, median, p95, p99, p999, max;
};

// Sorts `samples` [ns] and sums them up. Zeroes where there are none.
struct bench_times bench_times_of(uint64_t *samples, size_t num);

enum { BENCH_MAX_SAMPLES = 4096 };

// A zeroed one is empty.
struct bench_samples {
    uint32_t num;
    uint64_t ns[BENCH_MAX_SAMPLES];
};
// Those that have no room are left out.
void bench_samples_add(struct bench_samples *samples, double ns);
// Sum them up, and empty it.
struct bench_times bench_samples_take(struct bench_samples *samples);
