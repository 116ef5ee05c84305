// SPDX-License-Identifier: MIT
// How long the calls take that present.
#pragma once

#include "tests/bench/times.h"

enum { PRESENT_TIMES_SKIPPED = 30 }; // frames, in which caches fill and kernels are compiled

// A moment [ns]: of the clock, and of the time that the thread has computed.
struct present_moment {
    uint64_t wall_ns, cpu_ns;
};

// Zero it.
struct present_times {
    struct bench_samples wall, cpu; // of each frame that counts
    uint32_t num_skipped;
    struct present_moment begin, end; // of all frames that count: ends of presents
};

struct present_moment present_moment_now(void);
// A call has ended that began then.
void present_times_note(struct present_times *times, struct present_moment begin);

// Print a line of JSON: the name of the device, for "wall_us" and "cpu_us" the least, the median,
// two high quantiles and the most [microseconds], and frames a second.
void present_times_print(struct present_times *times, const char *device);
