// SPDX-License-Identifier: MIT
// Reference of palette reduction by mean shift in Oklab: the lattice, a step, and the naive
// reduction.
//
// A way always ends. The rounded mean is the lattice point nearest to the mean, so the sum over all
// points of weight * min(distance^2, radius^2) never grows; where it stays the same, the mean was
// rounded up, so that coordinates only grow. And as a colour starts on a point, some point is
// always within the radius.
#include "tests/ref/palette.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#include "tests/ref/palette_oklab.h"
#include "tests/ref/texel.h"

enum { BITS = 24, BIAS = 1 << (BITS - 1), ROOT_BITS = 29 };

// The constants as integers. No value is near a half, so that the last bit of pow() does not
// matter.
static struct lattice {
    int64_t rgb_to_lms[3][3], lms_to_lab[3][3], lab_to_lms[3][3]; // Q32
    int64_t lms_to_rgb[3][3];                                     // Q28
    struct codes {
        int64_t linear[256];    // Q31, the light of a code
        int64_t threshold[256]; // Q31, the least light of a code; none of code 0
    } codes[2];                 // raw, sRGB
} lattice;

static int64_t fixed_point(double x, int bits)
{
    return (int64_t)floor(ldexp(x, bits) + 0.5);
}

static int64_t light_of(double code, bool srgb)
{
    return fixed_point(srgb ? ref_srgb_decode(code / 255) : code / 255, 31);
}

static void fill_lattice(void)
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            lattice.rgb_to_lms[i][j] = fixed_point(oklab_rgb_to_lms[i][j], 32);
            lattice.lms_to_lab[i][j] = fixed_point(oklab_lms_to_lab[i][j], 32);
            lattice.lab_to_lms[i][j] = fixed_point(oklab_lab_to_lms[i][j], 32);
            lattice.lms_to_rgb[i][j] = fixed_point(oklab_lms_to_rgb[i][j], 28);
        }
    }
    for (int srgb = 0; srgb < 2; srgb++) {
        for (int code = 0; code < 256; code++) {
            lattice.codes[srgb].linear[code] = light_of(code, srgb);
            lattice.codes[srgb].threshold[code] = light_of(code - 0.5, srgb);
        }
    }
}

static const struct lattice *get_lattice(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, fill_lattice);
    return &lattice;
}

void ref_palette_get_light(bool srgb, uint32_t linear[256], uint32_t thresholds[256])
{
    for (int code = 0; code < 256; code++) {
        linear[code] = (uint32_t)get_lattice()->codes[srgb].linear[code];
        thresholds[code] = code > 0 ? (uint32_t)get_lattice()->codes[srgb].threshold[code] : 0;
    }
}

static uint64_t cube(uint64_t x)
{
    return x * x * x;
}

uint32_t ref_palette_cube_root(uint64_t n)
{
    uint64_t x = (uint64_t)cbrt((double)n); // a guess: integers decide
    while (cube(x) > n) {
        x--;
    }
    while (cube(x + 1) <= n) {
        x++;
    }
    // Binary digits from Q21 on, each with three more of n, which are 0: x^3 + rest is n.
    uint64_t rest = n - cube(x);
    for (int bits = 21; bits <= ROOT_BITS; bits++) {
        rest <<= 3;
        x <<= 1;
        const uint64_t more = 3 * x * (x + 1) + 1; // (x + 1)^3 - x^3
        const bool is_one = rest >= more;
        rest -= is_one ? more : 0;
        x += is_one;
    }
    return (uint32_t)((x + 1) >> 1); // the last digit decides which number is nearest
}

// matrix * v, without the last `shift` bits: rounded to the nearest, halves up.
static void multiply(const int64_t matrix[3][3], const int64_t v[3], int shift, int64_t product[3])
{
    for (int i = 0; i < 3; i++) {
        product[i] = matrix[i][0] * v[0] + matrix[i][1] * v[1] + matrix[i][2] * v[2];
        product[i] = (product[i] + (INT64_C(1) << (shift - 1))) >> shift;
    }
}

struct ref_palette_point ref_palette_point_of(uint32_t color, bool srgb)
{
    const struct lattice *lat = get_lattice();
    int64_t root[3], lab[3];
    for (int i = 0; i < 3; i++) {
        uint64_t lms = 0; // Q63, up to 1: unsigned
        for (int j = 0; j < 3; j++) {
            lms += (uint64_t)lat->rgb_to_lms[i][j] *
                   (uint64_t)lat->codes[srgb].linear[color >> (16 - 8 * j) & 255];
        }
        root[i] = ref_palette_cube_root(lms);
    }
    multiply(lat->lms_to_lab, root, 32 + ROOT_BITS - BITS, lab);
    return (struct ref_palette_point){(int32_t)lab[0], (int32_t)lab[1] + BIAS,
                                      (int32_t)lab[2] + BIAS};
}

// The last code whose threshold is not above the light.
static uint32_t code_of(int64_t light, const int64_t threshold[256])
{
    uint32_t code = 0;
    for (uint32_t step = 128; step > 0; step /= 2) {
        if (threshold[code + step] <= light) {
            code += step;
        }
    }
    return code;
}

uint32_t ref_palette_color_of(struct ref_palette_point point, bool srgb)
{
    const struct lattice *lat = get_lattice();
    const int64_t lab[3] = {point.l, point.a - BIAS, point.b - BIAS};
    int64_t lms[3];
    multiply(lat->lab_to_lms, lab, 32 + BITS - 31, lms); // Q31
    const int64_t one = INT64_C(1) << 31;
    for (int i = 0; i < 3; i++) {
        const int64_t root = lms[i] < 0 ? 0 : lms[i] > one ? one : lms[i];
        lms[i] = (root * root >> 31) * root >> 30; // Q32
    }
    uint32_t color = 0;
    for (int j = 0; j < 3; j++) {
        int64_t light = 0; // Q60
        for (int i = 0; i < 3; i++) {
            light += lat->lms_to_rgb[j][i] * lms[i];
        }
        color = color << 8 | code_of(light >> 29, lat->codes[srgb].threshold);
    }
    return color;
}

uint64_t ref_palette_squared_radius(float radius)
{
    return (uint64_t)((double)radius * (double)radius * 0x1p48); // the square of a float is exact
}

static uint64_t squared_distance(struct ref_palette_point p, struct ref_palette_point q)
{
    const int64_t l = p.l - q.l, a = p.a - q.a, b = p.b - q.b;
    return (uint64_t)(l * l + a * a + b * b);
}

struct ref_palette_point ref_palette_step(const struct ref_palette_params *params, uint32_t n,
                                          const struct ref_palette_point *points,
                                          const uint32_t *counts, struct ref_palette_point from)
{
    const uint64_t squared_radius = ref_palette_squared_radius(params->radius);
    uint64_t num = 0, l = 0, a = 0, b = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (squared_distance(points[i], from) > squared_radius) {
            continue;
        }
        const uint64_t weight = params->frequency ? counts[i] : 1;
        num += weight;
        l += weight * (uint64_t)points[i].l;
        a += weight * (uint64_t)points[i].a;
        b += weight * (uint64_t)points[i].b;
    }
    return (struct ref_palette_point){(int32_t)((2 * l + num) / (2 * num)),
                                      (int32_t)((2 * a + num) / (2 * num)),
                                      (int32_t)((2 * b + num) / (2 * num))};
}

bool ref_palette_naive(const struct ref_palette_params *params, uint32_t n, const uint32_t *colors,
                       const uint32_t *counts, uint32_t *out, struct ref_palette_stats *stats)
{
    struct ref_palette_point *points = malloc(((size_t)n + 1) * sizeof(*points));
    if (!points) {
        return false;
    }
    struct ref_palette_stats s = {0};
    for (uint32_t i = 0; i < n; i++) {
        points[i] = ref_palette_point_of(colors[i], params->srgb);
    }
    for (uint32_t i = 0; i < n; i++) {
        struct ref_palette_point point = points[i];
        uint32_t steps = 0;
        for (bool moved = true; moved && (params->limit == 0 || steps < params->limit); steps++) {
            const struct ref_palette_point last = point;
            point = ref_palette_step(params, n, points, counts, last);
            moved = squared_distance(point, last) > 0;
        }
        out[i] = ref_palette_color_of(point, params->srgb);
        s.evaluations += steps;
        s.max_steps = steps > s.max_steps ? steps : s.max_steps;
    }
    free(points);
    if (!ref_palette_num_distinct(n, out, &s.num_new_colors)) {
        return false;
    }
    if (stats) {
        *stats = s;
    }
    return true;
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

bool ref_palette_num_distinct(uint32_t n, const uint32_t *colors, uint32_t *num)
{
    uint8_t *seen = calloc(1 << 21, 1); // a bit a colour
    if (!seen) {
        return false;
    }
    *num = 0;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t bit = 1u << (colors[i] & 7);
        *num += (seen[colors[i] >> 3] & bit) == 0;
        seen[colors[i] >> 3] |= (uint8_t)bit;
    }
    free(seen);
    return true;
}

// The pixels of each colour. Memory that is never written costs nothing: rows say where to look.
struct histogram {
    uint32_t counts[1 << 24];
    bool rows[1 << 16]; // of colours that differ in blue alone: if any has pixels
};

static void gather(const struct histogram *histogram, uint32_t *colors, uint32_t *counts)
{
    for (uint32_t row = 0; row < 1 << 16; row++) {
        for (uint32_t color = row << 8; histogram->rows[row] && color < (row + 1) << 8; color++) {
            if (histogram->counts[color] > 0) {
                *colors++ = color;
                *counts++ = histogram->counts[color];
            }
        }
    }
}

bool ref_palette_count(const uint8_t *rgba, size_t num_pixels, uint32_t *n, uint32_t **colors,
                       uint32_t **counts)
{
    *n = 0;
    *colors = *counts = NULL;
    struct histogram *histogram = calloc(1, sizeof(*histogram));
    if (!histogram) {
        return false;
    }
    for (const uint8_t *p = rgba; p < rgba + 4 * num_pixels; p += 4) {
        if (p[3] > 0) {
            const uint32_t row = (uint32_t)p[0] << 8 | p[1];
            histogram->rows[row] = true;
            *n += histogram->counts[row << 8 | p[2]]++ == 0;
        }
    }
    *colors = malloc(((size_t)*n + 1) * sizeof **colors);
    *counts = malloc(((size_t)*n + 1) * sizeof **counts);
    const bool is_done = *colors && *counts;
    if (is_done) {
        gather(histogram, *colors, *counts);
    } else {
        free(*colors);
        free(*counts);
        *colors = *counts = NULL;
    }
    free(histogram);
    return is_done;
}
