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

struct block {
    int v[16];
    int max; // of a value: 255, or 254 of a signed block
    enum ref_bc4_effort effort;
};

// Endpoints, and what they leave of the values: (steps * difference)^2 over the 16 texels.
struct fit {
    int a0, a1;
    int steps; // 7: eight values. 5: six, and 0 and the greatest
    int error;
};

static int clampi(int v, int lo, int hi)
{
    return v < lo ? lo : v > hi ? hi : v;
}

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

// Which of the values from a0 to a1 is nearest, of two the farther from a0.
static int nearest(const struct fit *f, int v)
{
    const int range = maxi(f->a0 - f->a1, f->a1 - f->a0);
    const int distance = clampi(f->a0 > f->a1 ? f->a0 - v : v - f->a0, 0, range);
    return range == 0 ? 0 : (2 * f->steps * distance + range) / (2 * range);
}

// steps times the difference of the k-th value and v.
static int difference(const struct fit *f, int k, int v)
{
    return f->steps * (v - f->a0) - k * (f->a1 - f->a0);
}

// Of a difference. More than 1023 is as much, so that 16 of them add up to less than 2^24: floats
// count so far.
static int square(int x)
{
    x = clampi(x, -1023, 1023);
    return x * x;
}

// The squared error of v against 0 or the greatest value, whichever is nearer.
static int extreme_error(const struct block *b, const struct fit *f, int v)
{
    return square(f->steps * mini(v, b->max - v));
}

static int texel_error(const struct block *b, const struct fit *f, int v)
{
    const int error = square(difference(f, nearest(f, v), v));
    return f->steps == 5 ? mini(error, extreme_error(b, f, v)) : error;
}

static struct fit make_fit(const struct block *b, int a0, int a1, int steps)
{
    struct fit f = {a0, a1, steps, 0};
    for (int t = 0; t < 16; t++) {
        f.error += texel_error(b, &f, b->v[t]);
    }
    return f;
}

static void keep_better(const struct block *b, int a0, int a1, struct fit *f)
{
    const struct fit moved = make_fit(b, a0, a1, f->steps);
    if (moved.error < f->error) {
        *f = moved;
    }
}

// Move the endpoints to where they fit the texels best as these are assigned now, and keep that if
// it is better. It nearly always is: effort fast does not ask.
// Texel t is (steps - k) / steps of a0 and k / steps of a1: two normal equations.
static void refine(const struct block *b, struct fit *f)
{
    int n = 0, sk = 0, skk = 0, sv = 0, skv = 0;
    for (int t = 0; t < 16; t++) {
        const int v = b->v[t], k = nearest(f, v);
        if (f->steps == 5 && square(difference(f, k, v)) > extreme_error(b, f, v)) {
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
    const int a0 = clampi(div_round(s * (av * bb - bv * ab), d), 0, b->max);
    const int a1 = clampi(div_round(s * (bv * aa - av * ab), d), 0, b->max);
    if ((a0 > a1) != (s == 7)) {
        return;
    }
    if (b->effort == REF_BC4_FAST) {
        *f = (struct fit){a0, a1, s, 0};
    } else {
        keep_better(b, a0, a1, f);
    }
}

// All endpoints at most `radius` away that have as many values between them.
static void search(const struct block *b, int radius, struct fit *f)
{
    const struct fit center = *f;
    const bool is_seven = f->steps == 7;
    for (int a0 = maxi(center.a0 - radius, 0); a0 <= mini(center.a0 + radius, b->max); a0++) {
        const int from = maxi(center.a1 - radius, is_seven ? 0 : a0);
        const int to = mini(center.a1 + radius, is_seven ? a0 - 1 : b->max);
        for (int a1 = from; a1 <= to; a1++) {
            keep_better(b, a0, a1, f);
        }
    }
}

enum { MARGIN = 24, INNER = 8, RADIUS = 4 };

static void improve(const struct block *b, struct fit *f)
{
    for (int step = 0; step < (b->effort == REF_BC4_FAST ? 1 : 3); step++) {
        refine(b, f);
    }
    if (b->effort >= REF_BC4_HIGH) {
        search(b, b->effort == REF_BC4_HIGH ? RADIUS : 255, f);
    }
}

// Six values between the texels that are not next to 0 or the greatest, if those are better. Errors
// are in 1/49 and 1/25.
static void try_six(const struct block *b, struct fit *f)
{
    int lo = b->max, hi = 0;
    for (int t = 0; t < 16; t++) {
        if (b->v[t] >= INNER && b->v[t] <= b->max - INNER) {
            lo = mini(lo, b->v[t]);
            hi = maxi(hi, b->v[t]);
        }
    }
    struct fit six = make_fit(b, mini(lo, hi), hi, 5);
    improve(b, &six);
    if (49 * six.error < 25 * f->error) {
        *f = six;
    }
}

static unsigned code_of(const struct block *b, const struct fit *f, int v)
{
    const int k = nearest(f, v);
    if (f->steps == 5 && square(difference(f, k, v)) > extreme_error(b, f, v)) {
        return 2 * v < b->max ? 6 : 7;
    }
    return k == 0 ? 0 : k == f->steps ? 1 : (unsigned)k + 1;
}

static void pack(const struct block *b, const struct fit *f, uint8_t out[REF_BC4_BLOCK_SIZE])
{
    const int lowest = b->max == 255 ? 0 : -127;
    uint64_t bits = (uint64_t)(uint8_t)(f->a0 + lowest) | (uint64_t)(uint8_t)(f->a1 + lowest) << 8;
    for (int t = 0; t < 16; t++) {
        bits |= (uint64_t)code_of(b, f, b->v[t]) << (16 + 3 * t);
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
    // One value: equal endpoints mean six values, of which the first is that.
    struct fit f = {hi, lo, 5, 0};
    if (lo < hi) {
        const bool has_extremes = lo < MARGIN || hi > b->max - MARGIN;
        f = make_fit(b, hi, lo, 7);
        improve(b, &f);
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
