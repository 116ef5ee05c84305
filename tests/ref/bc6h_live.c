// SPDX-License-Identifier: MIT
// Scalar reference of the BC6H encoder at effort live: one line, fitted twice, in the finest mode
// that has it.
//
// The line is a diagonal of the box of the texels and then fitted by least squares: S. Brown, "DXT
// Compression Techniques" (2006). That one line from the box is enough for real time: K. Narkowicz,
// "Real-Time BC6H Compression on GPU" (GPU Pro 7, 2016).
#include "tests/ref/bc6h_live.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/ref/bc6h_block.h"
#include "tests/ref/halves.h"
#include "tests/ref/rounding.h"

// The bits of a place in the box of the texels; how far out of it endpoints may be.
enum { PLACE_BITS = 10, LEAST_PLACE = -512, GREATEST_PLACE = 1535 };

// The texels in their box.
struct box {
    int lo[3]; // halves
    int shift; // of halves, right, to places
    int range[3];
    int places[16][3];
    float least[3], greatest[3]; // places that are halves
};

struct line {
    int start[3], way[3];
};

static int mini(int a, int b)
{
    return a < b ? a : b;
}

static int maxi(int a, int b)
{
    return a > b ? a : b;
}

// Halves below 2^-14 are taken for others, the least of them for 0: they are not worth their time.
static int live_half_of(int half)
{
    const int magnitude = half < 0 ? -half : half;
    const int taken = magnitude < 1024 ? maxi(2 * magnitude - 1024, 0) : magnitude;
    return half < 0 ? -taken : taken;
}

// `value` / 2^shift, rounded to nearest, ties to even.
static int shift_round(int value, int shift)
{
    return shift == 0 ? value : (value + (1 << (shift - 1)) - 1 + (value >> shift & 1)) >> shift;
}

static int index_on(const struct line *l, const int place[3])
{
    int along = 0, square = 0;
    for (int c = 0; c < 3; c++) {
        along += l->way[c] * (place[c] - l->start[c]);
        square += l->way[c] * l->way[c];
    }
    const float part = (float)along * ref_reciprocal((float)maxi(square, 1));
    return (int)rintf((part < 0 ? 0 : part > 1 ? 1 : part) * 15);
}

static int place_in(const struct box *b, int c, float x)
{
    return (int)rintf(x < b->least[c] ? b->least[c] : x > b->greatest[c] ? b->greatest[c] : x);
}

// The line that fits best as the texels are on `l` now: their mean if they have one index.
static void solve(const struct box *b, struct line *l)
{
    int k = 0, kk = 0, v[3] = {0}, kv[3] = {0};
    for (int t = 0; t < 16; t++) {
        const int index = index_on(l, b->places[t]);
        k += index;
        kk += index * index;
        for (int c = 0; c < 3; c++) {
            v[c] += b->places[t][c];
            kv[c] += index * b->places[t][c];
        }
    }
    const float inverse = ref_reciprocal((float)maxi(16 * kk - k * k, 1));
    for (int c = 0; c < 3; c++) {
        const float slope = (float)(16 * kv[c] - k * v[c]) * inverse;
        const float down = slope * ((float)k / 16);
        const float start = (float)v[c] / 16 - down;
        const float way = 15 * slope;
        l->start[c] = place_in(b, c, start);
        l->way[c] = place_in(b, c, start + way) - l->start[c];
    }
}

// A diagonal of the box: channels run against the one with the longest side where they fall as it
// rises.
static void set_diagonal(const struct box *b, struct line *l)
{
    int longest = 0;
    for (int c = 1; c < 3; c++) {
        longest = b->range[c] > b->range[longest] ? c : longest;
    }
    for (int c = 0; c < 3; c++) {
        int product = 0, sum = 0, sum_of_longest = 0;
        for (int t = 0; t < 16; t++) {
            product += b->places[t][c] * b->places[t][longest];
            sum += b->places[t][c];
            sum_of_longest += b->places[t][longest];
        }
        const bool falls = 16 * product < sum * sum_of_longest;
        l->start[c] = falls ? b->range[c] : 0;
        l->way[c] = falls ? -b->range[c] : b->range[c];
    }
}

static void set_box(const int halves[16][3], bool is_signed, struct box *b)
{
    int longest = 0;
    b->shift = 0;
    for (int c = 0; c < 3; c++) {
        int hi = b->lo[c] = halves[0][c];
        for (int t = 1; t < 16; t++) {
            b->lo[c] = mini(b->lo[c], halves[t][c]);
            hi = maxi(hi, halves[t][c]);
        }
        b->range[c] = hi - b->lo[c];
        longest = maxi(longest, b->range[c]);
    }
    while (longest >> b->shift >> PLACE_BITS) {
        b->shift++;
    }
    for (int c = 0; c < 3; c++) {
        for (int t = 0; t < 16; t++) {
            b->places[t][c] = shift_round(halves[t][c] - b->lo[c], b->shift);
        }
        b->range[c] = shift_round(b->range[c], b->shift);
        const int least = is_signed ? -REF_HALF_MAX : 0, size = 1 << b->shift;
        b->least[c] = fmaxf((float)(least - b->lo[c]) / (float)size, LEAST_PLACE);
        b->greatest[c] = fminf((float)(REF_HALF_MAX - b->lo[c]) / (float)size, GREATEST_PLACE);
    }
}

// The mode with the most bits whose differences can be that great.
static int finest_mode(int difference)
{
    return difference < 8 ? 13 : difference <= 127 << 4 ? 12 : difference <= 255 << 5 ? 11 : 10;
}

static int value_at(const struct box *b, int c, int place, bool is_signed)
{
    const int half = b->lo[c] + place * (1 << b->shift);
    const int least = is_signed ? -REF_HALF_MAX : 0;
    return bc6h_value_of(mini(maxi(half, least), REF_HALF_MAX), is_signed);
}

// The line in the finest mode that has it.
static void round_ends(const struct box *b, const struct line *l, bool is_signed, int *mode,
                       int codes[4][3])
{
    int ends[2][3], difference = 0;
    for (int c = 0; c < 3; c++) {
        ends[0][c] = value_at(b, c, l->start[c], is_signed);
        ends[1][c] = value_at(b, c, l->start[c] + l->way[c], is_signed);
        difference = maxi(difference, abs(ends[0][c] - ends[1][c]));
    }
    *mode = finest_mode(difference);
    for (int e = 0; e < 2; e++) {
        for (int c = 0; c < 3; c++) {
            codes[e][c] = bc6h_quantise(ends[e][c], bc6h_modes[*mode].bits, is_signed);
        }
    }
}

void bc6h_fit_live(const int halves[16][3], bool is_signed, int *mode, int codes[4][3],
                   uint8_t indices[16])
{
    int taken[16][3], first_index = 0;
    for (int t = 0; t < 16; t++) {
        for (int c = 0; c < 3; c++) {
            taken[t][c] = live_half_of(halves[t][c]);
        }
    }
    struct box b;
    struct line l;
    set_box((const int(*)[3])taken, is_signed, &b);
    set_diagonal(&b, &l);
    for (int step = 0; step < 2; step++) {
        first_index = index_on(&l, b.places[0]);
        solve(&b, &l);
    }
    for (int c = 0; c < 3 && first_index > 7; c++) {
        l.start[c] += l.way[c];
        l.way[c] = -l.way[c];
    }
    round_ends(&b, &l, is_signed, mode, codes);
    for (int t = 0; t < 16; t++) {
        indices[t] = (uint8_t)index_on(&l, b.places[t]);
    }
    indices[0] = (uint8_t)mini(indices[0], 7); // the anchor
}
