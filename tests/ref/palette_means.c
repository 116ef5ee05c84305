// SPDX-License-Identifier: MIT
// Reference of palette reduction by k-means.
//
// Lloyd's iteration (S. Lloyd, "Least squares quantization in PCM", 1982) from a start that has no
// chance in it: all colours are one cluster, and clusters are split where they vary most, a few at
// a time, with passes of the iteration between. Then clusters that are of little use are given up
// for others to be split in two, as in B. Fritzke's LBG-U (1997). All numbers are integers.
#include "tests/ref/palette_means.h"

#include <stdlib.h>

#include "tests/ref/palette.h"

enum {
    MAX = REF_PALETTE_MAX_MEANS,
    TOP = 1 << 15,         // of a coordinate
    GROWING_PASSES = 3,    // after clusters were split
    MOVING_PASSES = 4,     // after clusters were given up
    NUM_MOVES = 6,         // times that clusters are given up
    FINAL_PASSES = 8,      // at the end, at most
    LEAST_GAIN_EIGHTHS = 5 // of a variance along an axis: what a split is taken to gain
};

struct cluster {
    struct ref_palette_mean mean;
    bool is_kept;                         // it is for a rare colour
    uint64_t weight, sums[3], squares[3]; // of the points of a pass
    uint32_t axis;                        // along which it varies most
    uint64_t variance;                    // times its weight, along that axis
    uint32_t neighbor;                    // what it is merged with
    uint64_t use;                         // what is lost by that
};

struct means {
    uint32_t n, num, wanted;
    const struct ref_palette_mean *points;
    const uint32_t *weights; // NULL: 1
    struct cluster clusters[MAX];
};

struct ref_palette_mean ref_palette_mean_of(const struct ref_palette_means_params *params,
                                            uint32_t color)
{
    if (!params->oklab) {
        return (struct ref_palette_mean){
            {(color >> 16 & 255) << 7, (color >> 8 & 255) << 7, (color & 255) << 7}};
    }
    const struct ref_palette_point p = ref_palette_point_of(color, params->srgb);
    return (struct ref_palette_mean){
        {(uint32_t)(p.l + 256) >> 9, (uint32_t)(p.a + 256) >> 9, (uint32_t)(p.b + 256) >> 9}};
}

static uint32_t color_of(const struct ref_palette_means_params *params,
                         const struct ref_palette_mean *mean)
{
    if (params->oklab) {
        const struct ref_palette_point p = {(int32_t)mean->x[0] << 9, (int32_t)mean->x[1] << 9,
                                            (int32_t)mean->x[2] << 9};
        return ref_palette_color_of(p, params->srgb);
    }
    uint32_t color = 0;
    for (int c = 0; c < 3; c++) {
        const uint32_t code = (mean->x[c] + 64) >> 7;
        color = color << 8 | (code < 255 ? code : 255);
    }
    return color;
}

// Below 2^32.
static uint32_t squared_distance(const struct ref_palette_mean *p, const struct ref_palette_mean *q)
{
    uint32_t sum = 0;
    for (int c = 0; c < 3; c++) {
        const int32_t d = (int32_t)p->x[c] - (int32_t)q->x[c];
        sum += (uint32_t)(d * d);
    }
    return sum;
}

// The first of those that are nearest.
static uint32_t nearest(const struct means *means, const struct ref_palette_mean *point)
{
    uint32_t best = 0, least = UINT32_MAX;
    for (uint32_t k = 0; k < means->num; k++) {
        const uint32_t distance = squared_distance(point, &means->clusters[k].mean);
        if (distance < least) {
            least = distance;
            best = k;
        }
    }
    return best;
}

static void assign(struct means *means)
{
    for (uint32_t k = 0; k < means->num; k++) {
        means->clusters[k] = (struct cluster){.mean = means->clusters[k].mean,
                                              .is_kept = means->clusters[k].is_kept};
    }
    for (uint32_t i = 0; i < means->n; i++) {
        struct cluster *cluster = &means->clusters[nearest(means, &means->points[i])];
        const uint64_t weight = means->weights ? means->weights[i] : 1;
        cluster->weight += weight;
        for (int c = 0; c < 3; c++) {
            const uint64_t x = means->points[i].x[c];
            cluster->sums[c] += weight * x;
            cluster->squares[c] += weight * x * x;
        }
    }
}

// True if a mean has moved. A cluster without points stays where it is.
static bool move_means(struct means *means)
{
    bool moved = false;
    for (uint32_t k = 0; k < means->num; k++) {
        struct cluster *cluster = &means->clusters[k];
        for (int c = 0; c < 3 && cluster->weight > 0; c++) {
            const uint32_t mean = (uint32_t)((2 * cluster->sums[c] + cluster->weight) /
                                             (2 * cluster->weight));
            moved = moved || mean != cluster->mean.x[c];
            cluster->mean.x[c] = mean;
        }
    }
    return moved;
}

// The terms of a variance wrap around at 2^64, and their sum does not.
static void find_variances(struct means *means)
{
    for (uint32_t k = 0; k < means->num; k++) {
        struct cluster *cluster = &means->clusters[k];
        cluster->variance = 0;
        for (uint32_t c = 0; c < 3; c++) {
            const uint64_t mean = cluster->mean.x[c];
            const uint64_t variance = cluster->squares[c] - 2 * mean * cluster->sums[c] +
                                      mean * mean * cluster->weight;
            if (variance > cluster->variance) {
                cluster->variance = variance;
                cluster->axis = c;
            }
        }
    }
}

static uint32_t square_root(uint32_t n)
{
    uint32_t root = 0;
    for (uint32_t bit = 1 << 15; bit > 0; bit >>= 1) {
        root += (root + bit) * (root + bit) <= n ? bit : 0;
    }
    return root;
}

// Move a mean down by its standard deviation, and get the mean as much above.
static struct ref_palette_mean split(struct cluster *cluster)
{
    const uint32_t deviation = square_root((uint32_t)(cluster->variance / cluster->weight));
    const uint32_t step = deviation > 1 ? deviation : 1;
    struct ref_palette_mean above = cluster->mean;
    uint32_t *low = &cluster->mean.x[cluster->axis], *high = &above.x[cluster->axis];
    *low -= step < *low ? step : *low;
    *high = *high + step < TOP ? *high + step : TOP;
    return above;
}

// The place of each cluster: those that vary most come first, of equals those of lower number.
static void rank_variances(const struct means *means, uint32_t by_rank[MAX])
{
    for (uint32_t k = 0; k < means->num; k++) {
        uint32_t rank = 0;
        for (uint32_t j = 0; j < means->num; j++) {
            const uint64_t mine = means->clusters[k].variance, other = means->clusters[j].variance;
            rank += other > mine || (other == mine && j < k);
        }
        by_rank[rank] = k;
    }
}

// The place of each cluster: those of least use come first.
static void rank_uses(const struct means *means, uint32_t by_rank[MAX])
{
    for (uint32_t k = 0; k < means->num; k++) {
        uint32_t rank = 0;
        for (uint32_t j = 0; j < means->num; j++) {
            const uint64_t mine = means->clusters[k].use, other = means->clusters[j].use;
            rank += other < mine || (other == mine && j < k);
        }
        by_rank[rank] = k;
    }
}

// False if no cluster can be split.
static bool grow(struct means *means)
{
    uint32_t by_rank[MAX];
    const uint32_t num = means->num, more = num * 3 / 10 + 1;
    const uint32_t room = means->wanted - num;
    find_variances(means);
    rank_variances(means, by_rank);
    for (uint32_t rank = 0; rank < num && rank < more && rank < room; rank++) {
        struct cluster *cluster = &means->clusters[by_rank[rank]];
        if (cluster->variance > 0) {
            means->clusters[means->num++].mean = split(cluster);
        }
    }
    return means->num > num;
}

static uint64_t clamped(uint64_t weight)
{
    return weight < UINT32_MAX ? weight : UINT32_MAX;
}

// By how much the sum of squared distances grows if one cluster is merged with another.
static uint64_t cost_of_merging(const struct cluster *a, const struct cluster *b)
{
    const uint64_t m = clamped(a->weight), n = clamped(b->weight);
    return m + n > 0 ? m * n / (m + n) * squared_distance(&a->mean, &b->mean) : 0;
}

static void find_uses(struct means *means)
{
    for (uint32_t k = 0; k < means->num; k++) {
        struct cluster *cluster = &means->clusters[k];
        cluster->use = UINT64_MAX;
        for (uint32_t j = 0; j < means->num; j++) {
            const uint64_t cost = cost_of_merging(cluster, &means->clusters[j]);
            if (j != k && !means->clusters[j].is_kept && cost < cluster->use) {
                cluster->use = cost;
                cluster->neighbor = j;
            }
        }
    }
}

static void merge(struct cluster *into, const struct cluster *from)
{
    const uint64_t m = clamped(into->weight), n = clamped(from->weight);
    for (int c = 0; c < 3 && m + n > 0; c++) {
        const uint64_t sum = m * into->mean.x[c] + n * from->mean.x[c];
        into->mean.x[c] = (uint32_t)((2 * sum + m + n) / (2 * (m + n)));
    }
}

// Give up clusters of little use, at most an eighth and one, and split others in their place. A
// cluster has part in one of these at most. False if there is none.
static bool relocate(struct means *means)
{
    uint32_t of_use[MAX], of_variance[MAX], num_moved = 0, next = 0;
    bool taken[MAX] = {false};
    find_variances(means);
    find_uses(means);
    rank_uses(means, of_use);
    rank_variances(means, of_variance);
    for (uint32_t i = 0; i < means->num && num_moved <= means->num / 8; i++) {
        const uint32_t low = of_use[i], near = means->clusters[low].neighbor;
        if (taken[low] || taken[near]) {
            continue;
        }
        while (next < means->num && (taken[of_variance[next]] || of_variance[next] == low ||
                                     of_variance[next] == near)) {
            next++;
        }
        if (next == means->num) {
            break;
        }
        struct cluster *high = &means->clusters[of_variance[next]];
        if (high->variance / 8 * LEAST_GAIN_EIGHTHS <= means->clusters[low].use) {
            break;
        }
        merge(&means->clusters[near], &means->clusters[low]);
        means->clusters[low].mean = split(high);
        taken[low] = taken[near] = taken[of_variance[next]] = true;
        num_moved++;
    }
    return num_moved > 0;
}

// The point that is farthest from its mean, of equals that of the least colour.
static uint32_t find_farthest(const struct means *means, uint32_t *squared)
{
    uint32_t farthest = 0;
    *squared = 0;
    for (uint32_t i = 0; i < means->n; i++) {
        const struct cluster *cluster = &means->clusters[nearest(means, &means->points[i])];
        const uint32_t distance = squared_distance(&means->points[i], &cluster->mean);
        if (distance > *squared) {
            *squared = distance;
            farthest = i;
        }
    }
    return farthest;
}

// Give up the cluster of least use for a point.
static void keep(struct means *means, struct ref_palette_mean point)
{
    find_uses(means);
    struct cluster *low = NULL;
    for (uint32_t k = 0; k < means->num; k++) {
        struct cluster *cluster = &means->clusters[k];
        if (!cluster->is_kept && (!low || cluster->use < low->use)) {
            low = cluster;
        }
    }
    merge(&means->clusters[low->neighbor], low);
    low->mean = point;
    low->is_kept = true;
}

// An eighth of the clusters at most, one a pass.
static void keep_rare(struct means *means, uint32_t far_squared)
{
    for (uint32_t i = 0; i <= means->wanted / 8; i++) {
        uint32_t squared;
        const uint32_t farthest = find_farthest(means, &squared);
        assign(means);
        move_means(means);
        if (i == means->wanted / 8 || squared <= far_squared) {
            return;
        }
        keep(means, means->points[farthest]);
    }
}

static void settle(struct means *means, int num_passes)
{
    for (int i = 0; i < num_passes; i++) {
        assign(means);
        move_means(means);
    }
}

static void find_means(struct means *means)
{
    means->num = 1;
    settle(means, GROWING_PASSES);
    while (means->num < means->wanted && grow(means)) {
        settle(means, GROWING_PASSES);
    }
    for (int i = 0; i < NUM_MOVES && relocate(means); i++) {
        settle(means, MOVING_PASSES);
    }
    for (int i = 0; i < FINAL_PASSES; i++) {
        assign(means);
        if (!move_means(means)) {
            break;
        }
    }
}

static int compare_colors(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

// The means as colours, and for each colour the one that is nearest then.
static void choose(const struct ref_palette_means_params *params, struct means *means,
                   uint32_t *palette, uint32_t *out)
{
    for (uint32_t k = 0; k < means->num; k++) {
        palette[k] = color_of(params, &means->clusters[k].mean);
    }
    qsort(palette, means->num, sizeof(*palette), compare_colors);
    for (uint32_t k = 0; k < means->num; k++) {
        means->clusters[k].mean = ref_palette_mean_of(params, palette[k]);
    }
    for (uint32_t i = 0; i < means->n; i++) {
        out[i] = palette[nearest(means, &means->points[i])];
    }
}

bool ref_palette_means(const struct ref_palette_means_params *params, uint32_t n,
                       const uint32_t *colors, const uint32_t *counts,
                       uint32_t palette[REF_PALETTE_MAX_MEANS], uint32_t *num_palette,
                       uint32_t *out)
{
    if (n <= params->num_colors) {
        for (uint32_t i = 0; i < n; i++) {
            palette[i] = out[i] = colors[i];
        }
        qsort(palette, n, sizeof(*palette), compare_colors);
        *num_palette = n;
        return true;
    }
    struct ref_palette_mean *points = malloc(n * sizeof(*points));
    struct means *means = calloc(1, sizeof(*means));
    const bool is_done = points && means;
    if (is_done) {
        *means = (struct means){.n = n,
                                .wanted = params->num_colors,
                                .points = points,
                                .weights = params->frequency ? counts : NULL};
        for (uint32_t i = 0; i < n; i++) {
            points[i] = ref_palette_mean_of(params, colors[i]);
        }
        find_means(means);
        if (params->keep_rare && params->num_colors >= 8) {
            keep_rare(means, params->oklab ? 3277 * 3277 : 6144 * 6144);
        }
        choose(params, means, palette, out);
        *num_palette = means->num;
    }
    free(means);
    free(points);
    return is_done;
}
