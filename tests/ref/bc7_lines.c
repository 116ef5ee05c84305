// SPDX-License-Identifier: MIT
// BC7 at efforts live and fast: one line, or two where the texels are opaque.
//
// A line is a diagonal of the box of its texels, and then fitted by least squares: S. Brown, "DXT
// Compression Techniques" (2006).
#include "tests/ref/bc7_lines.h"

#include <math.h>
#include <string.h>

#include "tests/ref/bc7_partition.h"
#include "tests/ref/bc7_tables.h"
#include "tests/ref/rounding.h"

// A line through the texels of a subset, a bit each, with its endpoints in quarters of 1/255.
struct line {
    uint32_t subset;
    int num; // of the texels
    int max_index;
    float first[4], second[4];
};

static float index_on(const struct line *l, const uint8_t v[4])
{
    float along = 0, square = 0;
    for (int c = 0; c < 4; c++) {
        const float way = l->second[c] - l->first[c];
        along += way * ((float)v[c] - l->first[c]);
        square += way * way;
    }
    const float part = along * ref_reciprocal(fmaxf(square, 0.0625f));
    return rintf(fminf(fmaxf(part, 0), 1) * (float)l->max_index);
}

static float quarters_of(float x)
{
    return rintf(4 * fminf(fmaxf(x, 0), 255)) / 4;
}

// Endpoints that fit best as the texels are on the line now: their mean if they have one index.
static void solve(const uint8_t texels[16][4], struct line *l)
{
    float k = 0, kk = 0, v[4] = {0}, kv[4] = {0};
    for (int t = 0; t < 16; t++) {
        if (!(l->subset >> t & 1)) {
            continue;
        }
        const float index = index_on(l, texels[t]);
        k += index;
        kk += index * index;
        for (int c = 0; c < 4; c++) {
            v[c] += texels[t][c];
            kv[c] += index * texels[t][c];
        }
    }
    const float num = (float)l->num, inverse = ref_reciprocal(fmaxf(num * kk - k * k, 1));
    for (int c = 0; c < 4; c++) {
        const float slope = (num * kv[c] - k * v[c]) * inverse, down = slope * k;
        const float first = (v[c] - down) * (1 / num), way = (float)l->max_index * slope;
        l->first[c] = quarters_of(first);
        l->second[c] = quarters_of(first + way);
    }
}

// A diagonal of the box: channels run against the one with the longest side where they fall as it
// rises.
static void set_diagonal(const uint8_t texels[16][4], struct line *l)
{
    int lo[4] = {255, 255, 255, 255}, hi[4] = {0}, longest = 0;
    for (int c = 0; c < 4; c++) {
        for (int t = 0; t < 16; t++) {
            if (l->subset >> t & 1) {
                lo[c] = texels[t][c] < lo[c] ? texels[t][c] : lo[c];
                hi[c] = texels[t][c] > hi[c] ? texels[t][c] : hi[c];
            }
        }
        longest = hi[c] - lo[c] > hi[longest] - lo[longest] ? c : longest;
    }
    for (int c = 0; c < 4; c++) {
        int product = 0, sum = 0, sum_of_longest = 0;
        for (int t = 0; t < 16; t++) {
            if (l->subset >> t & 1) {
                product += texels[t][c] * texels[t][longest];
                sum += texels[t][c];
                sum_of_longest += texels[t][longest];
            }
        }
        const bool falls = l->num * product < sum * sum_of_longest;
        l->first[c] = (float)(falls ? hi[c] : lo[c]);
        l->second[c] = (float)(falls ? lo[c] : hi[c]);
    }
}

static struct line fit(const uint8_t texels[16][4], uint32_t subset, int max_index)
{
    struct line l = {.subset = subset, .max_index = max_index};
    for (int t = 0; t < 16; t++) {
        l.num += (int)(subset >> t & 1);
    }
    set_diagonal(texels, &l);
    solve(texels, &l);
    solve(texels, &l);
    return l;
}

// Of indices found by projection on the line between two values.
static int error_of(const uint8_t texels[16][4], const struct line *l, int values[2][4])
{
    struct line rounded = *l;
    int error = 0;
    for (int c = 0; c < 4; c++) {
        rounded.first[c] = (float)values[0][c];
        rounded.second[c] = (float)values[1][c];
    }
    for (int t = 0; t < 16; t++) {
        const int k = (int)index_on(&rounded, texels[t]);
        for (int c = 0; c < 4 && l->subset >> t & 1; c++) {
            const int e = texels[t][c] -
                          ref_bc7_interpolate(values[0][c], values[1][c], l->max_index, k);
            error += e * e;
        }
    }
    return error;
}

static float square(float x)
{
    return x * x;
}

// Codes of 7 bits and a p-bit, which is 1 in opaque blocks: else their alpha would not be 255.
static void round_for_mode6(const float value[4], bool is_opaque, bool alpha_unread, int code[4])
{
    float least = INFINITY;
    for (int p = is_opaque && !alpha_unread; p < 2; p++) {
        int rounded[4];
        float error = 0;
        for (int c = 0; c < 4; c++) {
            const float half = rintf((value[c] - (float)p) / 2);
            rounded[c] = 2 * (int)fminf(fmaxf(half, 0), 127) + p;
            error += alpha_unread && c == 3 ? 0 : square((float)rounded[c] - value[c]);
        }
        if (error < least) {
            least = error;
            memcpy(code, rounded, sizeof(rounded));
        }
    }
}

// Codes of 6 bits and a p-bit, the same for both ends. There is no alpha.
static void round_for_mode1(const struct line *l, int code[2][4])
{
    float least = INFINITY;
    for (int p = 0; p < 2; p++) {
        int rounded[2][4] = {{0}};
        float error = 0;
        for (int i = 0; i < 6; i++) {
            const int c = i % 3, end = i / 3;
            const float value = end ? l->second[c] : l->first[c];
            const float wide = value * 127 - (float)(255 * p);
            const float half = rintf(wide * (1.0f / 510));
            rounded[end][c] = 2 * (int)fminf(fmaxf(half, 0), 63) + p;
            error += square((float)ref_bc7_expand(rounded[end][c], 7) - value);
        }
        if (error < least) {
            least = error;
            memcpy(code, rounded, sizeof(rounded));
        }
    }
}

// The partition nearest to the division into texels above the mean of r + 2 g + b and others.
static int choose_partition(const uint8_t texels[16][4])
{
    int sum = 0, least = 17 << 6;
    uint32_t bright = 0;
    for (int t = 0; t < 16; t++) {
        sum += texels[t][0] + 2 * texels[t][1] + texels[t][2];
    }
    for (int t = 0; t < 16; t++) {
        const int brightness = texels[t][0] + 2 * texels[t][1] + texels[t][2];
        bright |= (uint32_t)(16 * brightness > sum) << t;
    }
    for (int p = 0; p < 64; p++) {
        int num = 0;
        for (uint32_t rest = bright ^ ref_bc7_subset(2, p, 1); rest; rest &= rest - 1) {
            num++;
        }
        const int key = (num < 16 - num ? num : 16 - num) << 6 | p;
        least = key < least ? key : least;
    }
    return least & 63;
}

// Fit a block of mode 1. Returns its error.
static int fit_pair(const uint8_t texels[16][4], int partition, struct ref_bc7_block *pair)
{
    int error = 0;
    *pair = (struct ref_bc7_block){.mode = 1, .partition = partition};
    for (int s = 0; s < 2; s++) {
        const struct line l = fit(texels, ref_bc7_subset(2, partition, s), 7);
        int values[2][4];
        round_for_mode1(&l, pair->code + 2 * s);
        for (int i = 0; i < 8; i++) {
            values[i / 4][i % 4] = i % 4 < 3 ? ref_bc7_expand(pair->code[2 * s + i / 4][i % 4], 7)
                                             : 255;
        }
        error += error_of(texels, &l, values);
    }
    return error;
}

void ref_bc7_fit_lines(const uint8_t texels[16][4], bool is_opaque, bool alpha_unread,
                       int num_ranked, struct ref_bc7_block *block)
{
    const struct line whole = fit(texels, 0xffff, 15);
    int codes[2][4];
    round_for_mode6(whole.first, is_opaque, alpha_unread, codes[0]);
    round_for_mode6(whole.second, is_opaque, alpha_unread, codes[1]);
    int least = error_of(texels, &whole, codes);
    *block = (struct ref_bc7_block){.mode = 6};
    memcpy(block->code, codes, sizeof(codes));
    struct ref_bc7_ranks ranks = {{0}};
    if (num_ranked > 0) {
        ref_bc7_rank_partitions(texels, 1, &ranks);
    } else {
        ranks.partition[0] = choose_partition(texels);
        num_ranked = 1;
    }
    for (int i = 0; i < num_ranked && is_opaque; i++) {
        struct ref_bc7_block pair;
        const int error = fit_pair(texels, ranks.partition[i], &pair);
        if (error < least) {
            least = error;
            *block = pair;
        }
    }
}
