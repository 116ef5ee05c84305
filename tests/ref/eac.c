// SPDX-License-Identifier: MIT
// Scalar reference of the encoders of EAC R11 and RG11, unsigned, and of the alpha of ETC2 RGBA.
//
// Format: Khronos Data Format Specification, "ETC2". The search is Weir's: all bases near the middle of the texels, with
// all multipliers by which the table's modifiers reach about as far as the texels do.
#include "tests/ref/eac.h"

#include <stdlib.h>

// The modifiers of a table are -m and m - 1 of these.
static const int magnitudes[16][4] = {
    {3, 6, 9, 15}, {3, 7, 10, 13}, {2, 5, 8, 13}, {2, 4, 6, 13}, {3, 6, 8, 12}, {3, 7, 9, 11},
    {4, 7, 8, 11}, {3, 5, 8, 11},  {2, 6, 8, 10}, {2, 5, 8, 10}, {2, 4, 8, 10}, {2, 5, 7, 10},
    {3, 4, 7, 10}, {1, 2, 3, 10},  {4, 6, 8, 9},  {3, 5, 7, 9},
};

// What is tried: bases at most so far from the middle, multipliers from and to so many tenths of what fits.
static const struct range {
    int radius, from, to;
} ranges[] = {
    [REF_EAC_FAST] = {2, 7, 12},
    [REF_EAC_DEFAULT] = {12, 5, 13},
    [REF_EAC_HIGH] = {24, 3, 25},
};

struct fit {
    int unit; // how many values there are to one of the base: 8, and 1 of alpha
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

// Of 11 bits, a multiplier of 0 counts as an eighth.
static int scale_of(int unit, int multiplier)
{
    return multiplier == 0 ? unit / 8 : unit * multiplier;
}

// Which modifier comes nearest to v, 0 to 3 of the negative ones and 4 to 7 of the others; and how near.
static int nearest(const struct fit *f, int v, int *distance)
{
    const int scale = scale_of(f->unit, f->multiplier), start = f->unit * f->base + f->unit / 2;
    // The least modifiers are -m and m - 1: half a scale below the start they are as far.
    const int is_positive = 2 * (v - start) >= -scale;
    int best = 0;
    *distance = 1 << 12;
    for (int k = 0; k < 4; k++) {
        const int m = magnitudes[f->table][k];
        const int value = is_positive ? mini(start + (m - 1) * scale, 256 * f->unit - 1)
                                      : maxi(start - m * scale, 0);
        if (abs(value - v) < *distance) {
            *distance = abs(value - v);
            best = k;
        }
    }
    return best + 4 * is_positive;
}

static void keep_better(const int v[16], struct fit moved, struct fit *f)
{
    moved.error = 0;
    for (int t = 0; t < 16; t++) {
        int distance;
        nearest(&moved, v[t], &distance);
        moved.error += distance * distance;
    }
    if (moved.error < f->error)
        *f = moved;
}

static void search_table(const int v[16], int table, int lo, int hi, const struct range *range,
                         struct fit *f)
{
    const int unit = f->unit;
    const int reach = 10 * unit * (2 * magnitudes[table][3] - 1); // of all modifiers, in tenths
    const int first = range->from * (hi - lo) / reach;
    const int last = maxi((range->to * (hi - lo) + reach - 1) / reach, first);
    for (int multiplier = first; multiplier <= mini(last, 15); multiplier++) {
        // The farthest modifiers are -m and m - 1: their middle is half a scale below the start.
        const int middle = (lo + hi + scale_of(unit, multiplier)) / (2 * unit);
        const int top = mini(middle + range->radius, 255);
        for (int base = maxi(middle - range->radius, 0); base <= top; base++)
            keep_better(v, (struct fit){unit, base, multiplier, table, 0}, f);
    }
}

static void pack(const int v[16], const struct fit *f, uint8_t out[REF_EAC_BLOCK_SIZE])
{
    uint64_t word = (uint64_t)f->base << 56 | (uint64_t)f->multiplier << 52 |
                    (uint64_t)f->table << 48;
    for (int t = 0; t < 16; t++) {
        int distance;
        word |= (uint64_t)nearest(f, v[t], &distance) << (45 - 3 * (t % 4 * 4 + t / 4));
    }
    for (int i = 0; i < REF_EAC_BLOCK_SIZE; i++)
        out[i] = (uint8_t)(word >> (56 - 8 * i));
}

static void encode(const uint8_t values[16], int unit, enum ref_eac_level level,
                   uint8_t out[REF_EAC_BLOCK_SIZE])
{
    const int max = 256 * unit - 1;
    int v[16], lo = max, hi = 0;
    for (int t = 0; t < 16; t++) {
        v[t] = (values[t] * max + 127) / 255;
        lo = mini(lo, v[t]);
        hi = maxi(hi, v[t]);
    }
    struct fit f = {.unit = unit, .error = 1 << 30};
    for (int table = 0; table < 16; table++)
        search_table(v, table, lo, hi, &ranges[level], &f);
    pack(v, &f, out);
}

void ref_eac_encode_block(const uint8_t values[16], enum ref_eac_level level,
                          uint8_t out[REF_EAC_BLOCK_SIZE])
{
    encode(values, 8, level, out);
}

void ref_eac_encode_alpha(const uint8_t values[16], enum ref_eac_level level,
                          uint8_t out[REF_EAC_BLOCK_SIZE])
{
    encode(values, 1, level, out);
}
