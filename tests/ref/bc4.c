// SPDX-License-Identifier: MIT
// Scalar reference of the BC4 and BC5 encoders.
//
// A signed block is an unsigned one whose values go from 0 to 254 instead of 255: all is moved up
// by 127, but for the endpoints' bytes. -128, which decoders take for -127, is never written.
//
// Endpoints are fitted to codes by least squares: S. Brown, "DXT Compression Techniques" (2006),
// for one axis.
#include "tests/ref/bc4.h"

#include <stdbool.h>

#include "tests/ref/bc4_values.h"

struct block {
    int v[16];
    int max; // of a value: 255, or 254 of a signed block
    enum ref_bc4_effort effort;
};

enum {
    MARGIN = 24,  // a texel as near as this to 0 or the greatest makes six values worth a try
    INNER = 8,    // texels nearer than this to 0 or the greatest do not count for the six
    NUM_ENDS = 4, // values that the least texel may be, and the greatest
};

static int mini(int a, int b)
{
    return a < b ? a : b;
}

static int maxi(int a, int b)
{
    return a > b ? a : b;
}

// The integer nearest to n / d, d > 0, halves upwards.
static int div_round(int n, int d)
{
    const int n2 = 2 * n + d, d2 = 2 * d;
    return n2 / d2 - (n2 % d2 < 0);
}

static struct ref_bc4_fit make_fit(const struct block *b, int a0, int a1, int steps)
{
    struct ref_bc4_fit f = {a0, a1, steps, 0};
    for (int t = 0; t < 16; t++) {
        f.error += ref_bc4_error(&f, b->max, ref_bc4_choose(&f, b->max, b->v[t]), b->v[t]);
    }
    return f;
}

static void keep_better(const struct block *b, int a0, int a1, struct ref_bc4_fit *f)
{
    const struct ref_bc4_fit moved = make_fit(b, a0, a1, f->steps);
    if (moved.error < f->error) {
        *f = moved;
    }
}

// Move the endpoints to where they fit the texels best as these are assigned now, and keep that if
// it is better. It nearly always is: effort fast does not ask.
// Texel t is (steps - k) / steps of a0 and k / steps of a1: two normal equations.
static void refine(const struct block *b, struct ref_bc4_fit *f)
{
    int n = 0, sk = 0, skk = 0, sv = 0, skv = 0;
    for (int t = 0; t < 16; t++) {
        const int v = b->v[t], k = ref_bc4_choose(f, b->max, v);
        if (k > f->steps) {
            continue;
        }
        n++;
        sk += k;
        skk += k * k;
        sv += v;
        skv += k * v;
    }
    const int s = f->steps;
    const int aa = s * s * n - 2 * s * sk + skk, ab = s * sk - skk, bb = skk;
    const int av = s * sv - skv, bv = skv;
    const int d = aa * bb - ab * ab;
    if (d == 0) {
        return;
    }
    const int a0 = ref_bc4_clamp(div_round(s * (av * bb - bv * ab), d), 0, b->max);
    const int a1 = ref_bc4_clamp(div_round(s * (bv * aa - av * ab), d), 0, b->max);
    if ((a0 > a1) != (s == 7)) {
        return;
    }
    if (b->effort == REF_BC4_FAST) {
        *f = (struct ref_bc4_fit){a0, a1, s, 0};
    } else {
        keep_better(b, a0, a1, f);
    }
}

static void try_ends(const struct block *b, int a0, int a1, struct ref_bc4_fit *f)
{
    if (mini(a0, a1) >= 0 && maxi(a0, a1) <= b->max && (a0 > a1) == (f->steps == 7)) {
        keep_better(b, a0, a1, f);
    }
}

// All pairs of endpoints up to `radius` away, in steps.
static void search(const struct block *b, int radius, int step, struct ref_bc4_fit *f)
{
    const struct ref_bc4_fit center = *f;
    for (int i = -radius; i <= radius; i += step) {
        for (int j = -radius; j <= radius; j += step) {
            try_ends(b, center.a0 + i, center.a1 + j, f);
        }
    }
}

// Endpoints by which the least texel is the value number `first` and the greatest number `last`.
static struct ref_bc4_fit stretched(const struct block *b, int first, int last, int lo, int hi,
                                    int steps)
{
    const int range = last - first;
    const int below = div_round(range * lo - first * (hi - lo), range);
    const int above = div_round(range * hi + (steps - last) * (hi - lo), range);
    const int least = maxi(below, 0), most = mini(above, b->max);
    return steps == 7 ? make_fit(b, most, least, 7) : make_fit(b, least, most, 5);
}

// The range of the texels need not be that of the values: the least texel may be any of the first
// four values and the greatest any of the last four. So three texels apart, as text has them, or a
// range of few codes, find endpoints that meet all of them.
static void stretch(const struct block *b, int lo, int hi, struct ref_bc4_fit *f)
{
    for (int first = 0; first < NUM_ENDS; first++) {
        for (int last = f->steps; last > maxi(first, f->steps - NUM_ENDS); last--) {
            struct ref_bc4_fit moved = stretched(b, first, last, lo, hi, f->steps);
            refine(b, &moved);
            if (moved.error < f->error) {
                *f = moved;
            }
        }
    }
}

// The two of those that gain most, with one end a value farther out, without a step.
static void stretch_one_end(const struct block *b, int lo, int hi, struct ref_bc4_fit *f)
{
    for (int first = 0; first < 2; first++) {
        const struct ref_bc4_fit moved = stretched(b, first, f->steps - 1 + first, lo, hi,
                                                   f->steps);
        if (moved.error < f->error) {
            *f = moved;
        }
    }
}

// The best fit from the range of texels, lo to hi.
static struct ref_bc4_fit start(const struct block *b, int lo, int hi, int steps)
{
    struct ref_bc4_fit f = steps == 7 ? make_fit(b, hi, lo, 7) : make_fit(b, mini(lo, hi), hi, 5);
    refine(b, &f);
    if (b->effort == REF_BC4_FAST) {
        return f;
    }
    if (lo < hi) {
        stretch_one_end(b, lo, hi, &f);
    }
    for (int step = 0; step < (b->effort == REF_BC4_HIGH ? 2 : 1); step++) {
        refine(b, &f);
    }
    if (b->effort == REF_BC4_HIGH && lo < hi) {
        stretch(b, lo, hi, &f);
    }
    return f;
}

static void look_around(const struct block *b, struct ref_bc4_fit *f)
{
    if (b->effort == REF_BC4_HIGH) {
        search(b, 16, 8, f);
        search(b, 4, 1, f);
    } else if (b->effort == REF_BC4_EXHAUSTIVE) {
        search(b, 255, 1, f);
    }
}

// Six values, from the range of the texels that are at least `inner` from 0 and the greatest.
static struct ref_bc4_fit start_six(const struct block *b, int inner)
{
    int lo = b->max, hi = 0;
    for (int t = 0; t < 16; t++) {
        if (b->v[t] >= inner && b->v[t] <= b->max - inner) {
            lo = mini(lo, b->v[t]);
            hi = maxi(hi, b->v[t]);
        }
    }
    return start(b, lo, hi, 5);
}

// Six values between the texels that are not next to 0 or the greatest, if those are better. Errors
// are in 1/49 and 1/25.
static void try_six(const struct block *b, struct ref_bc4_fit *f)
{
    struct ref_bc4_fit six = start_six(b, INNER);
    for (int i = 0; b->effort == REF_BC4_HIGH && i < 2; i++) {
        const struct ref_bc4_fit other = start_six(b, i == 0 ? 1 : MARGIN);
        if (other.error < six.error) {
            six = other;
        }
    }
    look_around(b, &six);
    if (49 * six.error < 25 * f->error) {
        *f = six;
    }
}

static void pack(const struct block *b, const struct ref_bc4_fit *f,
                 uint8_t out[REF_BC4_BLOCK_SIZE])
{
    const int lowest = b->max == 255 ? 0 : -127;
    uint64_t bits = (uint64_t)(uint8_t)(f->a0 + lowest) | (uint64_t)(uint8_t)(f->a1 + lowest) << 8;
    for (int t = 0; t < 16; t++) {
        const int index = ref_bc4_choose(f, b->max, b->v[t]);
        bits |= (uint64_t)ref_bc4_code(f->steps, index) << (16 + 3 * t);
    }
    for (int i = 0; i < REF_BC4_BLOCK_SIZE; i++) {
        out[i] = (uint8_t)(bits >> (8 * i));
    }
}

static void encode(const struct block *b, uint8_t out[REF_BC4_BLOCK_SIZE])
{
    int lo = b->max, hi = 0;
    for (int t = 0; t < 16; t++) {
        lo = mini(lo, b->v[t]);
        hi = maxi(hi, b->v[t]);
    }
    // One value: equal endpoints mean six values, of which the first is that. Up to eight codes in
    // a row are exact between endpoints seven codes apart.
    const int soft = mini(lo + 7, b->max);
    struct ref_bc4_fit f = lo < hi ? (struct ref_bc4_fit){soft, soft - 7, 7, 0}
                                   : (struct ref_bc4_fit){hi, lo, 5, 0};
    if (hi - lo > 7) {
        const bool has_extremes = lo < MARGIN || hi > b->max - MARGIN;
        f = start(b, lo, hi, 7);
        look_around(b, &f);
        if (b->effort == REF_BC4_EXHAUSTIVE || (b->effort != REF_BC4_FAST && has_extremes)) {
            try_six(b, &f);
        }
    }
    pack(b, &f, out);
}

void ref_bc4_encode_block(const uint8_t values[16], enum ref_bc4_effort effort,
                          uint8_t out[REF_BC4_BLOCK_SIZE])
{
    struct block b = {.max = 255, .effort = effort};
    for (int t = 0; t < 16; t++) {
        b.v[t] = values[t];
    }
    encode(&b, out);
}

void ref_bc4_encode_block_signed(const int8_t values[16], enum ref_bc4_effort effort,
                                 uint8_t out[REF_BC4_BLOCK_SIZE])
{
    struct block b = {.max = 254, .effort = effort};
    for (int t = 0; t < 16; t++) {
        b.v[t] = maxi(values[t] + 127, 0);
    }
    encode(&b, out);
}
