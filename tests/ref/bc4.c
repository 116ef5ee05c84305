// SPDX-License-Identifier: MIT
// Scalar reference of the BC4 and BC5 encoders.
//
// Endpoints are fitted to codes by least squares: S. Brown, "DXT Compression Techniques" (2006), for one axis.
#include "tests/ref/bc4.h"

#include <stdbool.h>

// Endpoints, and what they leave of the values: (steps * difference)^2 over the 16 texels, under 2^26.
struct fit {
    int a0, a1;
    int steps; // 7: eight values. 5: six, and 0 and 255
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

// The scale of nearest(): 2^16 / |a1 - a0|, rounded.
static int scale_of(const struct fit *f)
{
    const int range = maxi(f->a0 - f->a1, f->a1 - f->a0);
    return range == 0 ? 0 : ((1 << 16) + range / 2) / range;
}

// Which of the values from a0 to a1 is nearest. The scale is rounded, so near a tie it may be the other.
static int nearest(const struct fit *f, int scale, int v)
{
    const int range = maxi(f->a0 - f->a1, f->a1 - f->a0);
    const int distance = clampi(f->a0 > f->a1 ? f->a0 - v : v - f->a0, 0, range);
    return (f->steps * distance * scale + (1 << 15)) >> 16;
}

// steps times the difference of the k-th value and v.
static int difference(const struct fit *f, int k, int v)
{
    return f->steps * (v - f->a0) - k * (f->a1 - f->a0);
}

static int square(int x)
{
    return x * x;
}

// What 0 or 255, whichever is nearer, leaves of v.
static int extreme_error(const struct fit *f, int v)
{
    return square(f->steps * mini(v, 255 - v));
}

static int texel_error(const struct fit *f, int scale, int v)
{
    const int error = square(difference(f, nearest(f, scale, v), v));
    return f->steps == 5 ? mini(error, extreme_error(f, v)) : error;
}

static struct fit make_fit(const uint8_t v[16], int a0, int a1, int steps)
{
    struct fit f = {a0, a1, steps, 0};
    const int scale = scale_of(&f);
    for (int t = 0; t < 16; t++)
        f.error += texel_error(&f, scale, v[t]);
    return f;
}

static bool is_valid(int a0, int a1, int steps)
{
    return mini(a0, a1) >= 0 && maxi(a0, a1) <= 255 && (a0 > a1) == (steps == 7);
}

// Move the endpoints to where they fit the texels best as these are assigned now, and keep that if it is better.
// Texel t is (steps - k) / steps of a0 and k / steps of a1: two normal equations.
static void refine(const uint8_t v[16], struct fit *f)
{
    const int scale = scale_of(f);
    int n = 0, sk = 0, skk = 0, sv = 0, skv = 0;
    for (int t = 0; t < 16; t++) {
        const int k = nearest(f, scale, v[t]);
        if (f->steps == 5 && square(difference(f, k, v[t])) > extreme_error(f, v[t]))
            continue;
        n++;
        sk += k;
        skk += k * k;
        sv += v[t];
        skv += k * v[t];
    }
    const int s = f->steps;
    const int aa = s * s * n - 2 * s * sk + skk, ab = s * sk - skk, bb = skk;
    const int av = s * sv - skv, bv = skv;
    const int d = aa * bb - ab * ab;
    if (d == 0)
        return;
    const int a0 = clampi(div_round(s * (av * bb - bv * ab), d), 0, 255);
    const int a1 = clampi(div_round(s * (bv * aa - av * ab), d), 0, 255);
    if (!is_valid(a0, a1, s))
        return;
    const struct fit moved = make_fit(v, a0, a1, s);
    if (moved.error < f->error)
        *f = moved;
}

// All endpoints at most `radius` away.
static void search(const uint8_t v[16], int radius, struct fit *f)
{
    const struct fit center = *f;
    for (int i = -radius; i <= radius; i++) {
        for (int j = -radius; j <= radius; j++) {
            const int a0 = center.a0 + i, a1 = center.a1 + j;
            if (!is_valid(a0, a1, f->steps))
                continue;
            const struct fit moved = make_fit(v, a0, a1, f->steps);
            if (moved.error < f->error)
                *f = moved;
        }
    }
}

enum { MARGIN = 24, INNER = 8, RADIUS = 4 };

static void improve(const uint8_t v[16], enum ref_bc4_level level, struct fit *f)
{
    for (int step = 0; step < (level == REF_BC4_FAST ? 1 : 3); step++)
        refine(v, f);
    if (level == REF_BC4_HIGH)
        search(v, RADIUS, f);
}

// Six values between the texels that are not next to 0 or 255, if those are better. Errors are in 1/49 and 1/25.
static void try_six(const uint8_t v[16], enum ref_bc4_level level, struct fit *f)
{
    int lo = 255, hi = 0;
    for (int t = 0; t < 16; t++) {
        if (v[t] >= INNER && v[t] <= 255 - INNER) {
            lo = mini(lo, v[t]);
            hi = maxi(hi, v[t]);
        }
    }
    struct fit six = make_fit(v, mini(lo, hi), hi, 5);
    improve(v, level, &six);
    if (49 * six.error < 25 * f->error)
        *f = six;
}

static unsigned code_of(const struct fit *f, int scale, int v)
{
    const int k = nearest(f, scale, v);
    if (f->steps == 5 && square(difference(f, k, v)) > extreme_error(f, v))
        return v < 128 ? 6 : 7;
    return k == 0 ? 0 : k == f->steps ? 1 : (unsigned)k + 1;
}

static void pack(const uint8_t v[16], const struct fit *f, uint8_t out[REF_BC4_BLOCK_SIZE])
{
    const int scale = scale_of(f);
    uint64_t bits = (uint64_t)f->a0 | (uint64_t)f->a1 << 8;
    for (int t = 0; t < 16; t++)
        bits |= (uint64_t)code_of(f, scale, v[t]) << (16 + 3 * t);
    for (int i = 0; i < REF_BC4_BLOCK_SIZE; i++)
        out[i] = (uint8_t)(bits >> (8 * i));
}

void ref_bc4_encode_block(const uint8_t values[16], enum ref_bc4_level level,
                          uint8_t out[REF_BC4_BLOCK_SIZE])
{
    int lo = 255, hi = 0;
    for (int t = 0; t < 16; t++) {
        lo = mini(lo, values[t]);
        hi = maxi(hi, values[t]);
    }
    // One value: equal endpoints mean six values, of which the first is that.
    struct fit f = {hi, lo, 5, 0};
    if (lo < hi) {
        f = make_fit(values, hi, lo, 7);
        improve(values, level, &f);
        if (level != REF_BC4_FAST && (lo < MARGIN || hi > 255 - MARGIN))
            try_six(values, level, &f);
    }
    pack(values, &f, out);
}
