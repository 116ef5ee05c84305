// SPDX-License-Identifier: MIT
// How long the calls take that present.
#include "present_times.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tests/bench/times.h"

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

void present_times_init(struct present_times *times, uint32_t num_frames)
{
    *times = (struct present_times){
        .most = num_frames,
        .wall_ns = calloc((size_t)num_frames + 1, sizeof(times->wall_ns[0])),
        .cpu_ns = calloc((size_t)num_frames + 1, sizeof(times->cpu_ns[0])),
    };
    if (!times->wall_ns || !times->cpu_ns) {
        fprintf(stderr, "e2e_present: no memory for times of %u frames\n", num_frames);
        exit(1);
    }
}

void present_times_finish(struct present_times *times)
{
    free(times->wall_ns);
    free(times->cpu_ns);
}

void present_times_note(struct present_times *times, struct present_moment begin)
{
    const struct present_moment end = present_moment_now();
    if (times->num_skipped < PRESENT_TIMES_SKIPPED) {
        times->num_skipped++;
        times->begin = end;
    } else if (times->num < times->most) {
        times->wall_ns[times->num] = end.wall_ns - begin.wall_ns;
        times->cpu_ns[times->num] = end.cpu_ns - begin.cpu_ns;
        times->num++;
    }
    times->end = end;
}

static void print_kind(const char *name, uint64_t *samples, uint32_t num)
{
    const struct bench_times all = bench_times_of(samples, num);
    printf("\"%s\": {\"min\": %.2f, \"median\": %.2f, \"p99\": %.2f, \"p99.9\": %.2f, "
           "\"max\": %.2f}, ",
           name, all.min, all.median, all.p99, all.p999, all.max);
}

void present_times_print(struct present_times *times, const char *device)
{
    const double seconds = 1e-9 * (double)(times->end.wall_ns - times->begin.wall_ns);
    printf("{\"device\": \"%s\", \"frames\": %u, ", device, times->num);
    print_kind("wall_us", times->wall_ns, times->num);
    print_kind("cpu_us", times->cpu_ns, times->num);
    printf("\"fps\": %.2f}\n", seconds > 0 ? times->num / seconds : 0);
    fflush(stdout); // however the program ends
}
