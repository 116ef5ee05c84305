// SPDX-License-Identifier: MIT
// Scalar reference of the encoders of EAC R11 and RG11, and of the alpha of ETC2 RGBA.
//
// A signed block is an unsigned one whose values go from 0 to 2046 and whose base stands for 8 *
// base + 7: all is moved up by 1023, and the base by 127. -128, which decoders take for -127, is
// never written.
//
// Format: Khronos Data Format Specification, "ETC2". The search is Weir's: all bases near the
// middle of the texels, with all multipliers by which the table's modifiers reach about as far as
// the texels do.
#include "tests/ref/eac.h"

#include <stdlib.h>

// The modifiers of a table are -m and m - 1 of these.
static const int magnitudes[16][4] = {
    {3, 6, 9, 15}, {3, 7, 10, 13}, {2, 5, 8, 13}, {2, 4, 6, 13}, {3, 6, 8, 12}, {3, 7, 9, 11},
    {4, 7, 8, 11}, {3, 5, 8, 11},  {2, 6, 8, 10}, {2, 5, 8, 10}, {2, 4, 8, 10}, {2, 5, 7, 10},
    {3, 4, 7, 10}, {1, 2, 3, 10},  {4, 6, 8, 9},  {3, 5, 7, 9},
};

// The search of each effort: bases at most `radius` from the middle, and multipliers of from / 10
// to to / 10 of the one that fits.
static const struct range {
    int radius, from, to;
} ranges[] = {
    [REF_EAC_FAST] = {2, 7, 12},
    [REF_EAC_DEFAULT] = {12, 5, 13},
    [REF_EAC_HIGH] = {24, 3, 25},
    [REF_EAC_EXHAUSTIVE] = {511, 0, 0}, // all
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

static int scale_of(const struct block *b, int multiplier)
{
    return multiplier == 0 ? b->unit / 8 : b->unit * multiplier;
}

// Which modifier comes nearest to v, 0 to 3 of the negative ones and 4 to 7 of the others; and how
// near.
static int nearest(const struct block *b, const struct fit *f, int v, int *distance)
{
    const int scale = scale_of(b, f->multiplier), start = b->unit * f->base + b->half;
    // The least modifiers are -m and m - 1: half a scale below the start they are as far.
    const int is_positive = 2 * (v - start) >= -scale;
    int best = 0;
    *distance = 1 << 12;
    for (int k = 0; k < 4; k++) {
        const int m = magnitudes[f->table][k];
        const int value = is_positive ? mini(start + (m - 1) * scale, b->max)
                                      : maxi(start - m * scale, 0);
        if (abs(value - v) < *distance) {
            *distance = abs(value - v);
            best = k;
        }
    }
    return best + 4 * is_positive;
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

static void search_table(const struct block *b, int table, int lo, int hi, struct fit *f)
{
    const struct range *range = &ranges[b->effort];
    const int reach = 10 * b->unit * (2 * magnitudes[table][3] - 1); // of all modifiers, in tenths
    const int first = range->from * (hi - lo) / reach;
    const int last = b->effort == REF_EAC_EXHAUSTIVE
                         ? 15
                         : maxi((range->to * (hi - lo) + reach - 1) / reach, first);
    for (int multiplier = first; multiplier <= mini(last, 15); multiplier++) {
        // The farthest modifiers are -m and m - 1: their middle is half a scale below the start.
        const int twice = lo + hi + scale_of(b, multiplier) + b->unit - 2 * b->half;
        const int middle = maxi(twice, 0) / (2 * b->unit);
        const int top = mini(middle + range->radius, b->max_base);
        for (int base = maxi(middle - range->radius, 0); base <= top; base++) {
            keep_better(b, (struct fit){base, multiplier, table, 0}, f);
        }
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
