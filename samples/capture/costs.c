// SPDX-License-Identifier: MIT
// What weir_capture_frame() costs the render thread: the time of each call.
#include "costs.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static int64_t now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

struct costs_times costs_begin(void)
{
    return (struct costs_times){now(CLOCK_MONOTONIC), now(CLOCK_THREAD_CPUTIME_ID)};
}

void costs_end(struct costs *costs, struct costs_times begin)
{
    const int64_t cpu = now(CLOCK_THREAD_CPUTIME_ID) - begin.cpu;
    const int64_t wall = now(CLOCK_MONOTONIC) - begin.wall;
    const uint64_t call = costs->num_calls++ % COSTS_MAX_CALLS;
    costs->cpu[call] = cpu > UINT32_MAX ? UINT32_MAX : (uint32_t)cpu;
    costs->wall[call] = wall > UINT32_MAX ? UINT32_MAX : (uint32_t)wall;
}

static int ascending(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void print(const char *name, uint32_t *costs, uint64_t num)
{
    qsort(costs, num, sizeof(*costs), ascending);
    printf("  %-10s median %.1f us, p99.9 %.1f us, max %.1f us\n", name,
           costs[(num - 1) / 2] * 1e-3, costs[(num - 1) * 999 / 1000] * 1e-3,
           costs[num - 1] * 1e-3);
}

void costs_print(struct costs *costs)
{
    const uint64_t num = costs->num_calls < COSTS_MAX_CALLS ? costs->num_calls : COSTS_MAX_CALLS;
    if (num > 0) {
        printf("the render thread's cost of weir_capture_frame():\n");
        print("wall clock", costs->wall, num);
        print("CPU", costs->cpu, num);
    }
}
