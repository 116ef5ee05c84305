// SPDX-License-Identifier: MIT
// Scalar reference of the encoders of EAC R11 and RG11, and of the alpha of ETC2 RGBA.
//
// A signed block is an unsigned one whose values go from 0 to 2046 and whose base stands for 8 *
// base + 7: all is moved up by 1023, and the base by 127. -128, which decoders take for -127, is
// never written.
//
// Format: Khronos Data Format Specification, "ETC2". The search is Weir's: all multipliers by which
// a table's modifiers reach about as far as the texels do, each with bases from which they miss the
// least and the greatest texel by little.
#include "tests/ref/eac.h"

#include <stdbool.h>
#include <stdlib.h>

// The modifiers of a table are -m and m - 1 of these.
static const int magnitudes[16][4] = {
    {3, 6, 9, 15}, {3, 7, 10, 13}, {2, 5, 8, 13}, {2, 4, 6, 13}, {3, 6, 8, 12}, {3, 7, 9, 11},
    {4, 7, 8, 11}, {3, 5, 8, 11},  {2, 6, 8, 10}, {2, 5, 8, 10}, {2, 4, 8, 10}, {2, 5, 7, 10},
    {3, 4, 7, 10}, {1, 2, 3, 10},  {4, 6, 8, 9},  {3, 5, 7, 9},
};

// The search of each effort: modifiers may miss so many twentieths of the texels' range at each
// end, and multipliers go to `most` tenths of the one that fits, and to `least` at least.
static const struct limits {
    int missed, most, least;
} efforts[] = {
    [REF_EAC_FAST] = {2, 12, 1},
    [REF_EAC_DEFAULT] = {2, 13, 2},
    [REF_EAC_HIGH] = {3, 18, 2},
    [REF_EAC_EXHAUSTIVE] = {0, 0, 0}, // all
};

struct block {
    int v[16];
    int unit;     // of bases and modifiers: 8, or 1 of alpha
    int max;      // of a value: 2047, or 2046 of a signed block, or 255
    int max_base; // 255 or 254
    int half;     // what a base of 0 stands for: 4 or 7, or 0
    enum ref_eac_effort effort;
};

struct fit {
    int base, multiplier, table;
    int error; // squared, over the texels, of 2047: under 2^27
};

static int mini(int a, int b)
{
    return a < b ? a : b;
}

static int maxi(int a, int b)
{
    return a > b ? a : b;
}

static int ceiling(int n, int d)
{
    return (n + d - 1) / d;
}

static int scale_of(const struct block *b, int multiplier)
{
    return multiplier == 0 ? b->unit / 8 : b->unit * multiplier;
}

// Which modifier's value, clamped, comes nearest to v, 0 to 3 of the negative ones and 4 to 7 of
// the others; and how near.
static int nearest(const struct block *b, const struct fit *f, int v, int *distance)
{
    const int scale = scale_of(b, f->multiplier), start = b->unit * f->base + b->half;
    int best = 0;
    *distance = 1 << 12;
    for (int k = 0; k < 8; k++) {
        const int m = magnitudes[f->table][k % 4];
        const int value = start + (k < 4 ? -m : m - 1) * scale;
        const int distance_of = abs(mini(maxi(value, 0), b->max) - v);
        if (distance_of < *distance) {
            *distance = distance_of;
            best = k;
        }
    }
    return best;
}

static void keep_better(const struct block *b, struct fit moved, struct fit *f)
{
    moved.error = 0;
    for (int t = 0; t < 16 && moved.error < f->error; t++) {
        int distance;
        nearest(b, &moved, b->v[t], &distance);
        moved.error += distance * distance;
    }
    if (moved.error < f->error) {
        *f = moved;
    }
}

static int step_of(enum ref_eac_effort effort, int multiplier)
{
    const int step = multiplier > 8 ? 4 : multiplier > 4 ? 2 : 1;
    return effort >= REF_EAC_HIGH || multiplier <= 1 ? 1 : effort == REF_EAC_FAST ? 2 * step : step;
}

// Try bases from which the modifiers, which reach over `reach` scales, miss so little that they
// reach over `within` of the texels' range.
static void search_bases(const struct block *b, struct fit tried, int lo, int hi, int within,
                         struct fit *f)
{
    const int scale = scale_of(b, tried.multiplier), reach = 2 * magnitudes[tried.table][3] - 1;
    // The farthest modifiers are -m and m - 1: their middle is half a scale below the start.
    const int twice = lo + hi + scale + b->unit - 2 * b->half;
    const int middle = mini(maxi(twice, 0) / (2 * b->unit), b->max_base);
    const bool is_all = b->effort == REF_EAC_EXHAUSTIVE;
    const int radius = is_all ? b->max_base : maxi(reach * scale - within, 0) / (2 * b->unit);
    const int step = step_of(b->effort, tried.multiplier);
    for (tried.base = middle - mini(radius, middle) / step * step;
         tried.base <= mini(middle + radius, b->max_base); tried.base += step) {
        keep_better(b, tried, f);
    }
}

static void search_table(const struct block *b, int table, int lo, int hi, struct fit *f)
{
    const int reach = 2 * magnitudes[table][3] - 1, range = hi - lo;
    const struct limits *limits = &efforts[b->effort];
    const int within = range - 2 * (limits->missed * range / 20);
    int first = 0, last = 15;
    if (b->effort != REF_EAC_EXHAUSTIVE) {
        const int fit = ceiling(within, reach * b->unit);
        const int most = maxi(ceiling(limits->most * range, 10 * reach * b->unit), limits->least);
        first = within <= reach * scale_of(b, 0) ? 0 : mini(fit, 15);
        last = range == 0 ? 0 : mini(most, 15);
    }
    for (int multiplier = first; multiplier <= maxi(first, last); multiplier++) {
        search_bases(b, (struct fit){0, multiplier, table, 0}, lo, hi, within, f);
    }
}

static void pack(const struct block *b, const struct fit *f, uint8_t out[REF_EAC_BLOCK_SIZE])
{
    const int lowest = b->max_base == 255 ? 0 : -127;
    uint64_t word = (uint64_t)(uint8_t)(f->base + lowest) << 56 | (uint64_t)f->multiplier << 52 |
                    (uint64_t)f->table << 48;
    for (int t = 0; t < 16; t++) {
        int distance;
        word |= (uint64_t)nearest(b, f, b->v[t], &distance) << (45 - 3 * (t % 4 * 4 + t / 4));
    }
    for (int i = 0; i < REF_EAC_BLOCK_SIZE; i++) {
        out[i] = (uint8_t)(word >> (56 - 8 * i));
    }
}

static void encode(const struct block *b, uint8_t out[REF_EAC_BLOCK_SIZE])
{
    int lo = b->max, hi = 0;
    for (int t = 0; t < 16; t++) {
        lo = mini(lo, b->v[t]);
        hi = maxi(hi, b->v[t]);
    }
    struct fit f = {.error = 1 << 30};
    for (int table = 0; table < 16; table++) {
        search_table(b, table, lo, hi, &f);
    }
    pack(b, &f, out);
}

void ref_eac_encode_block(const uint16_t values[16], enum ref_eac_effort effort,
                          uint8_t out[REF_EAC_BLOCK_SIZE])
{
    struct block b = {.unit = 8, .max = 2047, .max_base = 255, .half = 4, .effort = effort};
    for (int t = 0; t < 16; t++) {
        b.v[t] = values[t];
    }
    encode(&b, out);
}

void ref_eac_encode_block_signed(const int16_t values[16], enum ref_eac_effort effort,
                                 uint8_t out[REF_EAC_BLOCK_SIZE])
{
    struct block b = {.unit = 8, .max = 2046, .max_base = 254, .half = 7, .effort = effort};
    for (int t = 0; t < 16; t++) {
        b.v[t] = values[t] + 1023;
    }
    encode(&b, out);
}

void ref_eac_encode_alpha(const uint8_t values[16], enum ref_eac_effort effort,
                          uint8_t out[REF_EAC_BLOCK_SIZE])
{
    struct block b = {.unit = 1, .max = 255, .max_base = 255, .half = 0, .effort = effort};
    for (int t = 0; t < 16; t++) {
        b.v[t] = values[t];
    }
    encode(&b, out);
}
