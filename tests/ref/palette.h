// SPDX-License-Identifier: MIT
// Reference of palette reduction by mean shift in Oklab: the function that the kernels must
// compute, bit for bit.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The function. A colour 0xRRGGBB is a point of a lattice: Oklab with steps of 2^-24. From its own
// point a colour goes to the weighted mean of all points within the radius, inclusive, rounded to
// the lattice (halves up), until it stays; the colour of that point is its new one. All of it is
// integers, so neither the order of a sum nor the way to find the points changes a bit.
struct ref_palette_point {
    int32_t l, a, b; // Q24; a and b are 2^23 more than they stand for, so that none is negative
};

struct ref_palette_params {
    float radius;   // 0 .. sqrt(3)
    bool frequency; // a colour weighs its number of pixels, else 1
    bool srgb;      // codes are decoded (IEC 61966-2-1), else code / 255
    uint32_t limit; // steps of a colour at most, 0 = until it stays
};

struct ref_palette_stats {
    uint64_t evaluations;    // steps that were computed, with those that found a colour in place
    uint32_t max_steps;      // of one colour's whole way, whether it was walked alone or shared
    uint32_t num_new_colors; // distinct
};

// The light of each code, and the least light that becomes it, in Q31.
void ref_palette_get_light(bool srgb, uint32_t linear[256], uint32_t thresholds[256]);

// The cube root of n in Q63, up to 1 + 2^-21, as the nearest number in Q29: the integer x with
// (x - 1/2)^3 <= 2^24 n < (x + 1/2)^3.
uint32_t ref_palette_cube_root(uint64_t n);

struct ref_palette_point ref_palette_point_of(uint32_t color, bool srgb);
uint32_t ref_palette_color_of(struct ref_palette_point point, bool srgb);
// The largest difference of a channel of two colours [codes].
int ref_palette_distance(uint32_t x, uint32_t y);

// The square of the radius on the lattice, rounded down: what squared distances are compared with.
uint64_t ref_palette_squared_radius(float radius);

// The mean of those of the n points that are within the radius of `from`; there must be one.
// `counts` may be NULL where every colour weighs 1.
struct ref_palette_point ref_palette_step(const struct ref_palette_params *params, uint32_t n,
                                          const struct ref_palette_point *points,
                                          const uint32_t *counts, struct ref_palette_point from);

// n distinct colours with their numbers of pixels -> n new colours. `counts` may be NULL where
// every colour weighs 1, `stats` always. False: out of memory.
//
// Naive: every step of every colour looks at every point.
bool ref_palette_naive(const struct ref_palette_params *params, uint32_t n, const uint32_t *colors,
                       const uint32_t *counts, uint32_t *out, struct ref_palette_stats *stats);
// The same bits, fast: each distinct point is stepped from once. With a limit every colour walks
// alone.
bool ref_palette_reduce(const struct ref_palette_params *params, uint32_t n, const uint32_t *colors,
                        const uint32_t *counts, uint32_t *out, struct ref_palette_stats *stats);
// The points where the colours of ref_palette_reduce() end.
bool ref_palette_reduce_points(const struct ref_palette_params *params, uint32_t n,
                               const uint32_t *colors, const uint32_t *counts,
                               struct ref_palette_point *out);
// The same function of real numbers, in double precision: it differs where a border of a radius is
// near a point.
bool ref_palette_float64(const struct ref_palette_params *params, uint32_t n,
                         const uint32_t *colors, const uint32_t *counts, uint32_t *out,
                         struct ref_palette_stats *stats);

// Distinct colours of RGBA8 pixels and their numbers, sorted by colour; pixels with alpha 0 do not
// count. Fewer than 2^32 pixels. The caller frees *colors and *counts. False: out of memory, and
// both are NULL.
bool ref_palette_count(const uint8_t *rgba, size_t num_pixels, uint32_t *n, uint32_t **colors,
                       uint32_t **counts);

// How many of n colours are distinct. False: out of memory.
bool ref_palette_num_distinct(uint32_t n, const uint32_t *colors, uint32_t *num);
