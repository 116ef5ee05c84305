// SPDX-License-Identifier: MIT
// Palette reduction by mean shift in Oklab, of real numbers in double precision.
//
// A mean is summed over the points in the order of L, so that it depends on nothing but which
// points are within the radius: equal sets have equal means, bit for bit, and ways merge as they do
// on the lattice.
#include "tests/ref/palette.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/ref/palette_follow.h"
#include "tests/ref/palette_oklab.h"

static void multiply(const double matrix[3][3], const double v[3], double product[3])
{
    for (int i = 0; i < 3; i++) {
        product[i] = matrix[i][0] * v[0] + matrix[i][1] * v[1] + matrix[i][2] * v[2];
    }
}

struct point {
    double lab[3];
    double weight;
};

struct cloud {
    uint32_t num;
    struct point *points; // sorted by L
    double radius;
    uint64_t tests;
};

static void lab_of(uint32_t color, bool srgb, double lab[3])
{
    double rgb[3], lms[3];
    for (int j = 0; j < 3; j++) {
        const double code = (color >> (16 - 8 * j) & 255) / 255.0;
        rgb[j] = srgb ? oklab_decode_srgb(code) : code;
    }
    multiply(oklab_rgb_to_lms, rgb, lms);
    for (int i = 0; i < 3; i++) {
        lms[i] = cbrt(lms[i]);
    }
    multiply(oklab_lms_to_lab, lms, lab);
}

static double encode_srgb(double light)
{
    return light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055;
}

static uint32_t color_of(const double lab[3], bool srgb)
{
    double lms[3], rgb[3];
    multiply(oklab_lab_to_lms, lab, lms);
    for (int i = 0; i < 3; i++) {
        lms[i] = lms[i] * lms[i] * lms[i];
    }
    multiply(oklab_lms_to_rgb, lms, rgb);
    uint32_t color = 0;
    for (int j = 0; j < 3; j++) {
        const double code = floor((srgb ? encode_srgb(rgb[j]) : rgb[j]) * 255 + 0.5);
        color = color << 8 | (uint32_t)(code < 0 ? 0 : code > 255 ? 255 : code);
    }
    return color;
}

static int compare_points(const void *a, const void *b)
{
    const struct point *x = a, *y = b;
    for (int i = 0; i < 3; i++) {
        if (x->lab[i] != y->lab[i]) {
            return x->lab[i] < y->lab[i] ? -1 : 1;
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
        if (cloud->points[middle].lab[0] < l) {
            first = middle + 1;
        } else {
            last = middle;
        }
    }
    return first;
}

static struct ref_palette_state state_of(const double lab[3])
{
    struct ref_palette_state state;
    memcpy(state.words, lab, sizeof(state.words));
    return state;
}

static struct ref_palette_state step_state(void *context, struct ref_palette_state from)
{
    struct cloud *cloud = context;
    double q[3], sum[4] = {0};
    memcpy(q, from.words, sizeof(q));
    // A little more of L than the radius: the test below decides, not the rounding of these bounds.
    const double reach = cloud->radius + 1e-9;
    const uint32_t last = find(cloud, q[0] + reach);
    for (uint32_t i = find(cloud, q[0] - reach); i < last; i++) {
        const struct point *p = &cloud->points[i];
        const double l = p->lab[0] - q[0], a = p->lab[1] - q[1], b = p->lab[2] - q[2];
        cloud->tests++;
        if (l * l + a * a + b * b > cloud->radius * cloud->radius) {
            continue;
        }
        for (int axis = 0; axis < 3; axis++) {
            sum[axis] += p->weight * p->lab[axis];
        }
        sum[3] += p->weight;
    }
    const double mean[3] = {sum[0] / sum[3], sum[1] / sum[3], sum[2] / sum[3]};
    return state_of(mean);
}

bool ref_palette_float64(const struct ref_palette_params *params, uint32_t n,
                         const uint32_t *colors, const uint32_t *counts, uint32_t *out,
                         struct ref_palette_stats *stats)
{
    struct cloud cloud = {.num = n, .radius = params->radius};
    struct ref_palette_stats s = {0};
    struct ref_palette_state *states = malloc(((size_t)n + 1) * sizeof(*states));
    cloud.points = malloc(((size_t)n + 1) * sizeof(*cloud.points));
    bool is_done = states && cloud.points;
    for (uint32_t i = 0; i < n && is_done; i++) {
        lab_of(colors[i], params->srgb, cloud.points[i].lab);
        cloud.points[i].weight = params->frequency ? counts[i] : 1;
        states[i] = state_of(cloud.points[i].lab);
    }
    if (is_done) {
        qsort(cloud.points, n, sizeof(*cloud.points), compare_points);
        is_done = ref_palette_follow(step_state, &cloud, params->limit, n, states, &s);
    }
    for (uint32_t i = 0; i < n && is_done; i++) {
        double lab[3];
        memcpy(lab, states[i].words, sizeof(lab));
        out[i] = color_of(lab, params->srgb);
    }
    s.tests = cloud.tests;
    free(cloud.points);
    free(states);
    is_done = is_done && ref_palette_num_distinct(n, out, &s.num_new_colors);
    if (stats) {
        *stats = s;
    }
    return is_done;
}

int ref_palette_distance(uint32_t x, uint32_t y)
{
    int most = 0;
    for (int shift = 0; shift < 24; shift += 8) {
        const int distance = abs((int)(x >> shift & 255) - (int)(y >> shift & 255));
        most = distance > most ? distance : most;
    }
    return most;
}
