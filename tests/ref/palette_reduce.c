// SPDX-License-Identifier: MIT
// Palette reduction by mean shift in Oklab, fast: the bits of the naive reference, and the same
// function of real numbers in double precision.
//
// The points are sorted by L, so that a step looks only at those whose L is within the radius. Ways
// that meet in a point have the rest in common: each distinct point is stepped from once.
#include "tests/ref/palette.h"

#include <math.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "tests/ref/palette_oklab.h"
#include "tests/ref/texel.h"

// A double has all of the lattice's coordinates, and of their squared distances.
struct point {
    double at[3];
    uint32_t weight;
};

struct cloud;

// Which numbers colours become, and how the mean of the points within the radius is rounded.
struct numbers {
    void (*point_of)(uint32_t color, bool srgb, double at[3]);
    uint32_t (*color_of)(const double at[3], bool srgb);
    void (*mean)(const struct cloud *cloud, uint32_t first, uint32_t last, const double from[3],
                 double mean[3]);
    double slack; // of a distance along L
};

// A place that a colour comes by.
struct node {
    double at[3];
    struct node *next, *end; // the end is known where it is not NULL
    bool is_walked;          // on the way that is being looked at
    uint32_t steps;          // to the end, with the one that finds it in place
};

struct cloud {
    const struct numbers *numbers;
    uint32_t num;
    struct point *points; // sorted by L
    double squared_radius;
    double reach; // a little more than the radius: the squared distance decides
    void *nodes;  // a tree of tsearch()
    struct ref_palette_stats stats;
};

static void lattice_point_of(uint32_t color, bool srgb, double at[3])
{
    const struct ref_palette_point p = ref_palette_point_of(color, srgb);
    at[0] = p.l;
    at[1] = p.a;
    at[2] = p.b;
}

static struct ref_palette_point lattice_point(const double at[3])
{
    return (struct ref_palette_point){(int32_t)at[0], (int32_t)at[1], (int32_t)at[2]};
}

static uint32_t lattice_color_of(const double at[3], bool srgb)
{
    return ref_palette_color_of(lattice_point(at), srgb);
}

static bool is_near(const struct cloud *cloud, const struct point *point, const double from[3])
{
    const double l = point->at[0] - from[0], a = point->at[1] - from[1], b = point->at[2] - from[2];
    return l * l + a * a + b * b <= cloud->squared_radius;
}

static void lattice_mean(const struct cloud *cloud, uint32_t first, uint32_t last,
                         const double from[3], double mean[3])
{
    uint64_t num = 0, sum[3] = {0};
    for (const struct point *p = &cloud->points[first]; p < &cloud->points[last]; p++) {
        if (is_near(cloud, p, from)) {
            num += p->weight;
            for (int axis = 0; axis < 3; axis++) {
                sum[axis] += (uint64_t)p->weight * (uint64_t)(int64_t)p->at[axis];
            }
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        mean[axis] = (double)((2 * sum[axis] + num) / (2 * num));
    }
}

static void multiply(const double matrix[3][3], const double v[3], double product[3])
{
    for (int i = 0; i < 3; i++) {
        product[i] = matrix[i][0] * v[0] + matrix[i][1] * v[1] + matrix[i][2] * v[2];
    }
}

static void real_point_of(uint32_t color, bool srgb, double at[3])
{
    double rgb[3], lms[3];
    for (int j = 0; j < 3; j++) {
        const double code = (color >> (16 - 8 * j) & 255) / 255.0;
        rgb[j] = srgb ? ref_srgb_decode(code) : code;
    }
    multiply(oklab_rgb_to_lms, rgb, lms);
    for (int i = 0; i < 3; i++) {
        lms[i] = cbrt(lms[i]);
    }
    multiply(oklab_lms_to_lab, lms, at);
}

static uint32_t real_color_of(const double at[3], bool srgb)
{
    double lms[3], rgb[3];
    multiply(oklab_lab_to_lms, at, lms);
    for (int i = 0; i < 3; i++) {
        lms[i] = lms[i] * lms[i] * lms[i];
    }
    multiply(oklab_lms_to_rgb, lms, rgb);
    uint32_t color = 0;
    for (int j = 0; j < 3; j++) {
        const double code = floor((srgb ? ref_srgb_encode(rgb[j]) : rgb[j]) * 255 + 0.5);
        color = color << 8 | (uint32_t)(code < 0 ? 0 : code > 255 ? 255 : code);
    }
    return color;
}

// Summed in the order of L: equal sets of points have equal means, bit for bit, so that ways merge
// as they do on the lattice.
static void real_mean(const struct cloud *cloud, uint32_t first, uint32_t last,
                      const double from[3], double mean[3])
{
    double num = 0, sum[3] = {0};
    for (const struct point *p = &cloud->points[first]; p < &cloud->points[last]; p++) {
        if (is_near(cloud, p, from)) {
            num += p->weight;
            for (int axis = 0; axis < 3; axis++) {
                sum[axis] += p->weight * p->at[axis];
            }
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        mean[axis] = sum[axis] / num;
    }
}

static const struct numbers lattice = {lattice_point_of, lattice_color_of, lattice_mean, 1};
static const struct numbers real = {real_point_of, real_color_of, real_mean, 1e-9};

static int compare_places(const void *a, const void *b)
{
    const double *x = a, *y = b; // the first members of a point and of a node
    for (int i = 0; i < 3; i++) {
        if (x[i] != y[i]) {
            return x[i] < y[i] ? -1 : 1;
        }
    }
    return 0;
}

// The first point with L of at least `l`.
static uint32_t find(const struct cloud *cloud, double l)
{
    uint32_t first = 0, last = cloud->num;
    while (first < last) {
        const uint32_t middle = first + (last - first) / 2;
        if (cloud->points[middle].at[0] < l) {
            first = middle + 1;
        } else {
            last = middle;
        }
    }
    return first;
}

static void step(struct cloud *cloud, const double from[3], double to[3])
{
    cloud->stats.evaluations++;
    cloud->numbers->mean(cloud, find(cloud, from[0] - cloud->reach),
                         find(cloud, from[0] + cloud->reach), from, to);
}

// The node of a place, new where there is none. NULL: out of memory.
static struct node *get_node(struct cloud *cloud, const double at[3])
{
    struct node *node = calloc(1, sizeof(*node));
    if (!node) {
        return NULL;
    }
    memcpy(node->at, at, sizeof(node->at));
    struct node **found = tsearch(node, &cloud->nodes, compare_places);
    if (!found || *found != node) {
        free(node);
    }
    return found ? *found : NULL;
}

// The nodes from `first` on are a cycle, in most cases of one. It ends in the least. Returns how
// many they are.
static uint32_t end_cycle(struct node *first)
{
    struct node *least = first, *node = first;
    uint32_t length = 0;
    do {
        least = compare_places(node, least) < 0 ? node : least;
        length++;
        node = node->next;
    } while (node != first);
    do {
        node->end = least;
        node->steps = length;
        node = node->next;
    } while (node != first);
    return length;
}

// Go from a place to its end, or as far as a way that was gone before.
static bool follow(struct cloud *cloud, struct node *start)
{
    uint32_t length = 0;
    struct node *node = start;
    for (; !node->end && !node->is_walked; node = node->next) {
        double to[3];
        node->is_walked = true;
        step(cloud, node->at, to);
        node->next = get_node(cloud, to);
        if (!node->next) {
            return false;
        }
        length++;
    }
    if (!node->end) {
        length -= end_cycle(node);
    }
    for (struct node *k = start; !k->end; k = k->next) {
        k->end = node->end;
        k->steps = node->steps + length--;
    }
    return true;
}

// Replace a place by its end, or by that after `limit` steps: then it goes alone. False: out of
// memory.
static bool move(struct cloud *cloud, uint32_t limit, double at[3])
{
    uint32_t steps = 0;
    if (limit > 0) {
        for (bool moved = true; moved && steps < limit; steps++) {
            double to[3];
            step(cloud, at, to);
            moved = compare_places(at, to) != 0;
            memcpy(at, to, sizeof(to));
        }
    } else {
        struct node *start = get_node(cloud, at);
        if (!start || !follow(cloud, start)) {
            return false;
        }
        memcpy(at, start->end->at, sizeof(start->end->at));
        steps = start->steps;
    }
    cloud->stats.max_steps = steps > cloud->stats.max_steps ? steps : cloud->stats.max_steps;
    return true;
}

static bool reduce(const struct numbers *numbers, const struct ref_palette_params *params,
                   double squared_radius, uint32_t n, const uint32_t *colors,
                   const uint32_t *counts, double (*ends)[3], struct ref_palette_stats *stats)
{
    struct cloud cloud = {.numbers = numbers,
                          .num = n,
                          .points = malloc(((size_t)n + 1) * sizeof(*cloud.points)),
                          .squared_radius = squared_radius,
                          .reach = sqrt(squared_radius) + numbers->slack};
    bool is_done = cloud.points;
    for (uint32_t i = 0; i < n && is_done; i++) {
        numbers->point_of(colors[i], params->srgb, ends[i]);
        memcpy(cloud.points[i].at, ends[i], sizeof(ends[i]));
        cloud.points[i].weight = params->frequency ? counts[i] : 1;
    }
    if (is_done) {
        qsort(cloud.points, n, sizeof(*cloud.points), compare_places);
    }
    for (uint32_t i = 0; i < n && is_done; i++) {
        is_done = move(&cloud, params->limit, ends[i]);
    }
    tdestroy(cloud.nodes, free);
    free(cloud.points);
    *stats = cloud.stats;
    return is_done;
}

static bool reduce_colors(const struct numbers *numbers, const struct ref_palette_params *params,
                          double squared_radius, uint32_t n, const uint32_t *colors,
                          const uint32_t *counts, uint32_t *out, struct ref_palette_stats *stats)
{
    struct ref_palette_stats s = {0};
    double(*ends)[3] = malloc(((size_t)n + 1) * sizeof(*ends));
    const bool is_done = ends &&
                         reduce(numbers, params, squared_radius, n, colors, counts, ends, &s);
    for (uint32_t i = 0; i < n && is_done; i++) {
        out[i] = numbers->color_of(ends[i], params->srgb);
    }
    free(ends);
    if (!is_done || !ref_palette_num_distinct(n, out, &s.num_new_colors)) {
        return false;
    }
    if (stats) {
        *stats = s;
    }
    return true;
}

bool ref_palette_reduce(const struct ref_palette_params *params, uint32_t n, const uint32_t *colors,
                        const uint32_t *counts, uint32_t *out, struct ref_palette_stats *stats)
{
    return reduce_colors(&lattice, params, (double)ref_palette_squared_radius(params->radius), n,
                         colors, counts, out, stats);
}

bool ref_palette_float64(const struct ref_palette_params *params, uint32_t n,
                         const uint32_t *colors, const uint32_t *counts, uint32_t *out,
                         struct ref_palette_stats *stats)
{
    return reduce_colors(&real, params, (double)params->radius * (double)params->radius, n, colors,
                         counts, out, stats);
}

bool ref_palette_reduce_points(const struct ref_palette_params *params, uint32_t n,
                               const uint32_t *colors, const uint32_t *counts,
                               struct ref_palette_point *out)
{
    struct ref_palette_stats stats;
    double(*ends)[3] = malloc(((size_t)n + 1) * sizeof(*ends));
    const bool is_done = ends && reduce(&lattice, params,
                                        (double)ref_palette_squared_radius(params->radius), n,
                                        colors, counts, ends, &stats);
    for (uint32_t i = 0; i < n && is_done; i++) {
        out[i] = lattice_point(ends[i]);
    }
    free(ends);
    return is_done;
}
