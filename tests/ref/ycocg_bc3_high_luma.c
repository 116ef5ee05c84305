// SPDX-License-Identifier: MIT
// Scalar reference of scaled YCoCg in BC3 at effort high: Y, in either mode of BC4.
//
// As tests/ref/bc4.c does it: least squares, then endpoints around those, then six values. Values
// are in 1/16 code, errors in 1/16 of a step's fraction: 1/112 or 1/80 code.

#include "ycocg_bc3_high.h"

#include <stdlib.h>

enum {
    MARGIN = 24, // a texel as near as this to 0 or 255 makes six values worth a try
    INNER = 8,   // texels nearer than this to 0 or 255 do not count for the six
    LARGEST = 16 * 255,
};

static int scale_of(const struct luma_fit *f)
{
    const int range = abs(f->a0 - f->a1);
    return range == 0 ? 0 : ((1 << 16) + range / 2) / range;
}

static int nearest_value(const struct model *m, const struct luma_fit *f, int scale, int v)
{
    const int range = abs(f->a0 - f->a1);
    const int place = v + m->luma_bias - 16 * f->a0;
    const int distance = clampi(f->a0 > f->a1 ? -place : place, 0, 16 * range);
    return (f->steps * distance * scale + (1 << 19)) >> 20;
}

// The decoded value number k, times steps.
static int decoded(const struct model *m, const struct luma_fit *f, int k)
{
    const int n = f->steps * f->a0 - k * (f->a0 - f->a1);
    return 16 * (m->truncates ? n / f->steps * f->steps : n);
}

// A decoder that drops fractions is taken as it is; else the lean towards it is a part of the
// value.
static int lean(const struct model *m, int v)
{
    return m->truncates ? v : v + m->luma_bias;
}

static uint32_t square(int x)
{
    return (uint32_t)(x * x);
}

static uint32_t value_error(const struct model *m, const struct luma_fit *f, int k, int v)
{
    return square(decoded(m, f, k) - f->steps * lean(m, v));
}

// Of 0 or 255, the nearer.
static uint32_t extreme_error(const struct model *m, const struct luma_fit *f, int v)
{
    return square(f->steps * mini(lean(m, v), abs(LARGEST - lean(m, v))));
}

int ref_ycocg_bc3_luma_value(const struct model *m, const struct luma_fit *f, int index)
{
    return index <= f->steps ? decoded(m, f, index) : index == 6 ? 0 : f->steps * LARGEST;
}

uint32_t ref_ycocg_bc3_luma_square(const struct model *m, const struct luma_fit *f, int index,
                                   int y)
{
    return square(ref_ycocg_bc3_luma_value(m, f, index) - f->steps * lean(m, 4 * y));
}

struct luma_fit ref_ycocg_bc3_luma_fit(const struct model *m, const int y[16], int a0, int a1,
                                       int steps)
{
    struct luma_fit f = {a0, a1, steps, 0};
    const int scale = scale_of(&f);
    for (int t = 0; t < 16; t++) {
        const int v = 4 * y[t];
        uint32_t error = value_error(m, &f, nearest_value(m, &f, scale, v), v);
        if (steps == 5 && extreme_error(m, &f, v) < error) {
            error = extreme_error(m, &f, v);
        }
        f.error += error;
    }
    return f;
}

static void try_fit(const struct model *m, const int y[16], int a0, int a1, struct luma_fit *best)
{
    if (mini(a0, a1) < 0 || maxi(a0, a1) > 255 || (a0 > a1) != (best->steps == 7)) {
        return;
    }
    const struct luma_fit f = ref_ycocg_bc3_luma_fit(m, y, a0, a1, best->steps);
    if (f.error < best->error) {
        *best = f;
    }
}

// The endpoints that fit the indices best; texels that 0 or 255 are nearer to do not count.
static void refine(const struct model *m, const int y[16], struct luma_fit *f)
{
    const int scale = scale_of(f), s = f->steps;
    int n = 0, sk = 0, skk = 0, sv = 0, skv = 0;
    for (int t = 0; t < 16; t++) {
        const int v = 4 * y[t], k = nearest_value(m, f, scale, v);
        if (s == 5 && extreme_error(m, f, v) < value_error(m, f, k, v)) {
            continue;
        }
        n++;
        sk += k;
        skk += k * k;
        sv += v + m->luma_bias;
        skv += k * (v + m->luma_bias);
    }
    const int aa = s * s * n - 2 * s * sk + skk, ab = s * sk - skk, bb = skk;
    const int av = s * sv - skv, bv = skv;
    const int d = aa * bb - ab * ab;
    if (d <= 0) {
        return;
    }
    // Whole codes before the product with s, which would not fit in 32 bits otherwise.
    const int n0 = s * ((av * bb - bv * ab) >> 4), n1 = s * ((bv * aa - av * ab) >> 4);
    try_fit(m, y, clampi(div_round(n0, d), 0, 255), clampi(div_round(n1, d), 0, 255), f);
}

// All pairs of endpoints up to `radius` away, in steps.
static void search(const struct model *m, const int y[16], int radius, int step, struct luma_fit *f)
{
    const struct luma_fit center = *f;
    for (int i = -radius; i <= radius; i += step) {
        for (int j = -radius; j <= radius; j += step) {
            try_fit(m, y, center.a0 + i, center.a1 + j, f);
        }
    }
}

static void improve(const struct model *m, const int y[16], struct luma_fit *f)
{
    for (int i = 0; i < 3; i++) {
        refine(m, y, f);
    }
    search(m, y, 9, 3, f);
    search(m, y, 1, 1, f);
}

static void try_six(const struct model *m, const int y[16], struct luma_fit *f)
{
    int lo = 4 * 255, hi = 0;
    for (int t = 0; t < 16; t++) {
        if (y[t] >= 4 * INNER && y[t] <= 4 * (255 - INNER)) {
            lo = mini(lo, y[t]);
            hi = maxi(hi, y[t]);
        }
    }
    const int a0 = mini(lo, hi) >> 2, a1 = (hi + 3) >> 2;
    struct luma_fit six = ref_ycocg_bc3_luma_fit(m, y, a0, a1, 5);
    improve(m, y, &six);
    if (49 * six.error < 25 * f->error) {
        *f = six;
    }
}

struct luma_fit ref_ycocg_bc3_high_luma(const struct model *m, const int y[16], bool grey)
{
    int lo = y[0], hi = y[0];
    for (int t = 1; t < 16; t++) {
        lo = mini(lo, y[t]);
        hi = maxi(hi, y[t]);
    }
    // One or two whole values are exact, which the lean would spoil.
    bool exact = lo % 4 == 0 && hi % 4 == 0;
    for (int t = 0; t < 16; t++) {
        exact = exact && (y[t] == lo || y[t] == hi);
    }
    const int a0 = (hi + 3) >> 2, a1 = lo >> 2;
    if (exact) {
        return ref_ycocg_bc3_luma_fit(m, y, a0, a1, a0 > a1 ? 7 : 5);
    }
    // Grey texels within 7 codes: the sevenths are whole codes, and every decoder is exact.
    if (grey && hi - lo <= 28) {
        const int first = mini(a1 + 7, 255);
        return ref_ycocg_bc3_luma_fit(m, y, first, first - 7, 7);
    }
    struct luma_fit f = ref_ycocg_bc3_luma_fit(m, y, a0, a1, 7);
    improve(m, y, &f);
    if (lo < 4 * MARGIN || hi > 4 * (255 - MARGIN)) {
        try_six(m, y, &f);
    }
    return f;
}

void ref_ycocg_bc3_luma_assign(const struct model *m, const struct luma_fit *f, const int y[16],
                               struct luma *l, int error[16])
{
    const int scale = scale_of(f);
    l->a0 = f->a0;
    l->a1 = f->a1;
    for (int t = 0; t < 16; t++) {
        const int v = 4 * y[t], k = nearest_value(m, f, scale, v);
        const bool extreme = f->steps == 5 && extreme_error(m, f, v) < value_error(m, f, k, v);
        l->index[t] = !extreme ? k : v < 16 * 128 ? 6 : 7;
        const int value = ref_ycocg_bc3_luma_value(m, f, l->index[t]);
        error[t] = div_round(value - f->steps * v, 2 * f->steps);
    }
}
