// SPDX-License-Identifier: MIT
// The order statistics of measured times.
#ifndef WEIR_TESTS_BENCH_TIMES_H
#define WEIR_TESTS_BENCH_TIMES_H

#include <stddef.h>
#include <stdint.h>

// All times are in microseconds.
struct bench_times {
    uint64_t num;
    double min, median, p95, p99, p999, max;
};

// Sorts `samples` [ns] and sums them up. Zeroes where there are none.
struct bench_times bench_times_of(uint64_t *samples, size_t num);

#endif
