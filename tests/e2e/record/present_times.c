// SPDX-License-Identifier: MIT
// How long the calls take that present.
#include "present_times.h"

#include <stdio.h>
#include <time.h>

static uint64_t read_clock(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

struct present_moment present_moment_now(void)
{
    return (struct present_moment){.wall_ns = read_clock(CLOCK_MONOTONIC),
                                   .cpu_ns = read_clock(CLOCK_THREAD_CPUTIME_ID)};
}

void present_times_note(struct present_times *times, struct present_moment begin)
{
    const struct present_moment end = present_moment_now();
    if (times->num_skipped < PRESENT_TIMES_SKIPPED) {
        times->num_skipped++;
        times->begin = end;
    } else if (times->wall.num < BENCH_MAX_SAMPLES) {
        bench_samples_add(&times->wall, (double)(end.wall_ns - begin.wall_ns));
        bench_samples_add(&times->cpu, (double)(end.cpu_ns - begin.cpu_ns));
        times->end = end;
    }
}

static void print_kind(const char *name, struct bench_samples *samples)
{
    const struct bench_times all = bench_samples_take(samples);
    printf("\"%s\": {\"min\": %.2f, \"median\": %.2f, \"p99\": %.2f, \"p99.9\": %.2f, "
           "\"max\": %.2f}, ",
           name, all.min, all.median, all.p99, all.p999, all.max);
}

void present_times_print(struct present_times *times, const char *device)
{
    const double seconds = 1e-9 * (double)(times->end.wall_ns - times->begin.wall_ns);
    const uint32_t num = times->wall.num;
    printf("{\"device\": \"%s\", \"frames\": %u, ", device, num);
    print_kind("wall_us", &times->wall);
    print_kind("cpu_us", &times->cpu);
    printf("\"fps\": %.2f}\n", num > 0 ? num / seconds : 0);
    fflush(stdout); // however the program ends
}
