// SPDX-License-Identifier: MIT
// Measured times, and their order statistics.
#include "tests/bench/times.h"

#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

// The smallest sample that at least `part` of all samples do not exceed (nearest rank).
static double quantile(const uint64_t *sorted, size_t num, double part)
{
    double rank = part * (double)num;
    size_t i = (size_t)rank;
    if ((double)i == rank && i > 0) {
        i--;
    }
    return (double)sorted[i < num ? i : num - 1] / 1000;
}

struct bench_times bench_times_of(uint64_t *samples, size_t num)
{
    if (num == 0) {
        return (struct bench_times){0};
    }
    qsort(samples, num, sizeof(*samples), compare);
    return (struct bench_times){
        .num = num,
        .min = (double)samples[0] / 1000,
        .median = quantile(samples, num, 0.5),
        .p95 = quantile(samples, num, 0.95),
        .p99 = quantile(samples, num, 0.99),
        .p999 = quantile(samples, num, 0.999),
        .max = (double)samples[num - 1] / 1000,
    };
}

void bench_samples_add(struct bench_samples *samples, double ns)
{
    if (samples->num < BENCH_MAX_SAMPLES) {
        samples->ns[samples->num++] = (uint64_t)(ns + 0.5);
    }
}

struct bench_times bench_samples_take(struct bench_samples *samples)
{
    const struct bench_times times = bench_times_of(samples->ns, samples->num);
    samples->num = 0;
    return times;
}
