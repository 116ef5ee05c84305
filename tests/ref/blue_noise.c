// SPDX-License-Identifier: MIT
// Reference of blue noise: void and cluster (R. Ulichney, "The void-and-cluster method for dither
// array generation", 1993).
#include "tests/ref/blue_noise.h"

#include <math.h>
#include <stdbool.h>

enum {
    SIDE = REF_BLUE_NOISE_SIDE,
    SIZE = REF_BLUE_NOISE_SIZE,
    NUM_FIRST = SIZE / 10, // points of the pattern that the ranks begin with
};

struct pattern {
    bool points[SIZE];
    int64_t density[SIZE]; // of points near each place
};

// Gaussian of 1.5 texels, 2^24 at its top, so that sums are exact.
static int64_t weight_of(int dx, int dy)
{
    const int x = dx < SIDE - dx ? dx : SIDE - dx, y = dy < SIDE - dy ? dy : SIDE - dy;
    return (int64_t)floor(exp(-(x * x + y * y) / 4.5) * 0x1p24 + 0.5);
}

static void set(struct pattern *pattern, int at, bool is_set)
{
    static int64_t weights[SIZE];
    if (weights[0] == 0) {
        for (int i = 0; i < SIZE; i++) {
            weights[i] = weight_of(i % SIDE, i / SIDE);
        }
    }
    pattern->points[at] = is_set;
    for (int y = 0; y < SIDE; y++) {
        for (int x = 0; x < SIDE; x++) {
            const int dx = (x - at % SIDE + SIDE) % SIDE, dy = (y - at / SIDE + SIDE) % SIDE;
            const int64_t weight = weights[dy * SIDE + dx];
            pattern->density[y * SIDE + x] += is_set ? weight : -weight;
        }
    }
}

// The point where points are densest: the tightest cluster.
static int find_cluster(const struct pattern *pattern)
{
    int best = -1;
    for (int i = 0; i < SIZE; i++) {
        if (pattern->points[i] && (best < 0 || pattern->density[i] > pattern->density[best])) {
            best = i;
        }
    }
    return best;
}

// The free place where points are rarest: the largest void.
static int find_void(const struct pattern *pattern)
{
    int best = -1;
    for (int i = 0; i < SIZE; i++) {
        if (!pattern->points[i] && (best < 0 || pattern->density[i] < pattern->density[best])) {
            best = i;
        }
    }
    return best;
}

// Points at random, then each from a cluster to a void until there is none.
static void begin(struct pattern *pattern)
{
    uint64_t state = 1;
    for (int num = 0; num < NUM_FIRST;) {
        state = state * 6364136223846793005u + 1442695040888963407u; // Knuth's MMIX
        const int at = (int)(state >> 52);
        num += !pattern->points[at];
        if (!pattern->points[at]) {
            set(pattern, at, true);
        }
    }
    for (;;) {
        const int cluster = find_cluster(pattern);
        set(pattern, cluster, false);
        const int hole = find_void(pattern);
        set(pattern, hole, true);
        if (hole == cluster) {
            return;
        }
    }
}

void ref_blue_noise(uint16_t ranks[REF_BLUE_NOISE_SIZE])
{
    struct pattern first = {.points = {false}};
    begin(&first);
    struct pattern pattern = first;
    for (int rank = NUM_FIRST - 1; rank >= 0; rank--) {
        const int at = find_cluster(&pattern);
        set(&pattern, at, false);
        ranks[at] = (uint16_t)rank;
    }
    pattern = first;
    for (int rank = NUM_FIRST; rank < SIZE; rank++) {
        const int at = find_void(&pattern);
        set(&pattern, at, true);
        ranks[at] = (uint16_t)rank;
    }
}
