// SPDX-License-Identifier: MIT
// Blue noise by void and cluster (R. Ulichney, "The void-and-cluster method for dither array
// generation", 1993).
#include "palette/palette.h"

#include <math.h>
#include <stdlib.h>

enum {
    SIDE = WEIR_PALETTE_NOISE_SIDE,
    SIZE = WEIR_PALETTE_NUM_NOISE,
    NUM_FIRST = SIZE / 10, // points of the pattern that the ranks begin with
    REACH = 8,             // texels within which a point adds to the density
};

struct pattern {
    int32_t weights[REACH + 1][REACH + 1]; // what a point adds at a distance on each axis
    bool points[SIZE];
    int32_t density[SIZE]; // of points near each place
};

static void set(struct pattern *pattern, int at, bool is_set)
{
    pattern->points[at] = is_set;
    for (int dy = -REACH; dy <= REACH; dy++) {
        const int row = (at / SIDE + dy + SIDE) % SIDE * SIDE;
        for (int dx = -REACH; dx <= REACH; dx++) {
            const int32_t weight = pattern->weights[abs(dy)][abs(dx)];
            pattern->density[row + (at + dx + SIDE) % SIDE] += is_set ? weight : -weight;
        }
    }
}

// Find the tightest cluster, which is the point where points are densest, or the largest void, the
// free place where they are rarest.
static int find(const struct pattern *pattern, bool is_set)
{
    int best = 0;
    int32_t most = INT32_MIN;
    for (int i = 0; i < SIZE; i++) {
        const int32_t value = is_set ? pattern->density[i] : -pattern->density[i];
        if (pattern->points[i] == is_set && value > most) {
            best = i;
            most = value;
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
        if (!pattern->points[at]) {
            set(pattern, at, true);
            num++;
        }
    }
    for (int cluster = -1, hole = 0; hole != cluster;) {
        cluster = find(pattern, true);
        set(pattern, cluster, false);
        hole = find(pattern, false);
        set(pattern, hole, true);
    }
}

void weir_palette_blue_noise(uint16_t ranks[WEIR_PALETTE_NUM_NOISE])
{
    struct pattern first = {.points = {false}};
    for (int i = 0; i < (REACH + 1) * (REACH + 1); i++) {
        const int x = i % (REACH + 1), y = i / (REACH + 1);
        // A Gaussian of 1.5 texels, 2^24 at its top.
        first.weights[y][x] = (int32_t)floor(exp(-(x * x + y * y) / 4.5) * 0x1p24 + 0.5);
    }
    begin(&first);
    struct pattern pattern = first;
    for (int rank = NUM_FIRST - 1; rank >= 0; rank--) {
        const int at = find(&pattern, true);
        set(&pattern, at, false);
        ranks[at] = (uint16_t)rank;
    }
    pattern = first;
    for (int rank = NUM_FIRST; rank < SIZE; rank++) {
        const int at = find(&pattern, false);
        set(&pattern, at, true);
        ranks[at] = (uint16_t)rank;
    }
}
