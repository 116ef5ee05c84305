// SPDX-License-Identifier: MIT
// Scalar reference of the BC1 encoder, opaque.
//
// Endpoints are fitted to codes by least squares: S. Brown, "DXT Compression Techniques" (2006). That their
// neighbours are worth a look, as rounding to 5:6:5 bits moves them: F. Giesen, stb_dxt.
#include "tests/ref/bc1.h"

#include <stdbool.h>
#include <string.h>

enum { MAX_PASSES = 8 };

static const int max_code[3] = {31, 63, 31};

// Endpoints, and what they leave of the texels: (12 * difference)^2 over 48 values, under 2^29.
struct fit {
    int code[2][3];
    int error;
};

static int clampi(int v, int lo, int hi)
{
    return v < lo ? lo : v > hi ? hi : v;
}

// The integer nearest to n / d, d > 0, halves upwards.
static int div_round(int n, int d)
{
    const int n2 = 2 * n + d, d2 = 2 * d;
    return n2 / d2 - (n2 % d2 < 0);
}

// What a code stands for, in quarters of 1/255: 4 * 255 / 31 and 4 * 255 / 63 of it, times 2^8.
static int value_of(int channel, int code)
{
    return (code * (channel == 1 ? 4145 : 8423) + 128) >> 8;
}

// The code nearest to x / (255 d).
static int code_of(int channel, int x, int d)
{
    return clampi(div_round(x * max_code[channel], 255 * d), 0, max_code[channel]);
}

// The line from the first endpoint to the second, in quarters.
struct line {
    int start[3], way[3];
    int square; // of the way
};

static struct line line_of(const struct fit *f)
{
    struct line l = {.square = 0};
    for (int c = 0; c < 3; c++) {
        l.start[c] = value_of(c, f->code[0][c]);
        l.way[c] = value_of(c, f->code[1][c]) - l.start[c];
        l.square += l.way[c] * l.way[c];
    }
    return l;
}

// How many thirds of the way are nearest to a texel.
static int nearest(const struct line *l, const uint8_t v[3])
{
    int along = 0;
    for (int c = 0; c < 3; c++)
        along += l->way[c] * (4 * v[c] - l->start[c]);
    return (6 * along > l->square) + (6 * along > 3 * l->square) + (6 * along > 5 * l->square);
}

static void set_error(const uint8_t rgb[16][3], struct fit *f)
{
    const struct line l = line_of(f);
    f->error = 0;
    for (int t = 0; t < 16; t++) {
        const int k = nearest(&l, rgb[t]);
        for (int c = 0; c < 3; c++) {
            const int e = 3 * (4 * rgb[t][c] - l.start[c]) - k * l.way[c];
            f->error += e * e;
        }
    }
}

static void keep_better(const uint8_t rgb[16][3], struct fit moved, struct fit *f)
{
    for (int c = 0; c < 3; c++)
        for (int end = 0; end < 2; end++)
            if (moved.code[end][c] < 0 || moved.code[end][c] > max_code[c])
                return;
    set_error(rgb, &moved);
    if (moved.error < f->error)
        *f = moved;
}

// The endpoints that fit the texels best as these are assigned now. Texel t is (3 - k) / 3 of the first and k / 3 of
// the second: two normal equations for each channel.
static void refine(const uint8_t rgb[16][3], struct fit *f)
{
    const struct line l = line_of(f);
    int sk = 0, skk = 0, sv[3] = {0}, skv[3] = {0};
    for (int t = 0; t < 16; t++) {
        const int k = nearest(&l, rgb[t]);
        sk += k;
        skk += k * k;
        for (int c = 0; c < 3; c++) {
            sv[c] += rgb[t][c];
            skv[c] += k * rgb[t][c];
        }
    }
    const int aa = 144 - 6 * sk + skk, ab = 3 * sk - skk, bb = skk;
    const int d = aa * bb - ab * ab;
    if (d == 0)
        return;
    struct fit moved = *f;
    for (int c = 0; c < 3; c++) {
        const int av = 3 * sv[c] - skv[c], bv = skv[c];
        moved.code[0][c] = code_of(c, 3 * (av * bb - bv * ab), d);
        moved.code[1][c] = code_of(c, 3 * (bv * aa - av * ab), d);
    }
    keep_better(rgb, moved, f);
}

// Of each channel both ends at their neighbours, all nine pairs.
static void search_channels(const uint8_t rgb[16][3], struct fit *f)
{
    for (int c = 0; c < 3; c++) {
        const struct fit center = *f;
        for (int i = 0; i < 9; i++) {
            struct fit moved = center;
            moved.code[0][c] += i / 3 - 1;
            moved.code[1][c] += i % 3 - 1;
            keep_better(rgb, moved, f);
        }
    }
}

// One end or both, darker or brighter in all channels.
static void search_brightness(const uint8_t rgb[16][3], struct fit *f)
{
    for (int ends = 1; ends <= 3; ends++) {
        for (int way = -1; way <= 1; way += 2) {
            struct fit moved = *f;
            for (int c = 0; c < 3; c++)
                for (int end = 0; end < 2; end++)
                    moved.code[end][c] += (ends >> end & 1) * way * (c == 1 ? 2 : 1);
            keep_better(rgb, moved, f);
        }
    }
}

static void improve(const uint8_t rgb[16][3], enum ref_bc1_level level, struct fit *f)
{
    refine(rgb, f);
    refine(rgb, f);
    if (level == REF_BC1_DEFAULT)
        search_channels(rgb, f);
    for (int pass = 0; level == REF_BC1_HIGH && pass < MAX_PASSES; pass++) {
        const int before = f->error;
        search_channels(rgb, f);
        search_brightness(rgb, f);
        refine(rgb, f);
        if (f->error == before)
            break;
    }
}

// The box of the colours, a sixteenth smaller at both ends. Its corners are those on which channels fall where the
// one with the longest side falls.
static struct fit fit_box(const uint8_t rgb[16][3], const int lo[3], const int hi[3])
{
    int longest = 0;
    for (int c = 1; c < 3; c++)
        if (hi[c] - lo[c] > hi[longest] - lo[longest])
            longest = c;
    struct fit f = {.error = 0};
    for (int c = 0; c < 3; c++) {
        int sum = 0, sum_longest = 0, product = 0;
        for (int t = 0; t < 16; t++) {
            sum += rgb[t][c];
            sum_longest += rgb[t][longest];
            product += rgb[t][c] * rgb[t][longest];
        }
        const int first = 16 * hi[c] - (hi[c] - lo[c]), second = 16 * lo[c] + (hi[c] - lo[c]);
        const bool falls = 16 * product < sum * sum_longest;
        f.code[0][c] = code_of(c, falls ? second : first, 16);
        f.code[1][c] = code_of(c, falls ? first : second, 16);
    }
    set_error(rgb, &f);
    return f;
}

// One colour, as a third of the way between the two codes that have it there best.
static struct fit fit_color(const uint8_t rgb[16][3])
{
    struct fit f = {.error = 0};
    for (int c = 0; c < 3; c++) {
        int best = 1 << 20;
        for (int code = 0; code <= max_code[c]; code++) {
            const int rest = 12 * rgb[0][c] - 2 * value_of(c, code);
            const int other = code_of(c, rest, 4);
            const int error = rest - value_of(c, other);
            if ((error < 0 ? -error : error) < best) {
                best = error < 0 ? -error : error;
                f.code[0][c] = code;
                f.code[1][c] = other;
            }
        }
    }
    set_error(rgb, &f);
    return f;
}

static unsigned word_of(const int code[3])
{
    return (unsigned)(code[0] << 11 | code[1] << 5 | code[2]);
}

static void pack(const uint8_t rgb[16][3], struct fit f, uint8_t out[REF_BC1_BLOCK_SIZE])
{
    if (word_of(f.code[0]) < word_of(f.code[1])) {
        const struct fit old = f;
        memcpy(f.code[0], old.code[1], sizeof f.code[0]);
        memcpy(f.code[1], old.code[0], sizeof f.code[1]);
    }
    static const unsigned codes[4] = {0, 2, 3, 1}; // of so many thirds
    const struct line l = line_of(&f);
    uint32_t bits = 0;
    for (int t = 0; t < 16; t++)
        bits |= codes[nearest(&l, rgb[t])] << (2 * t);
    for (int i = 0; i < 2; i++) {
        out[2 * i] = (uint8_t)word_of(f.code[i]);
        out[2 * i + 1] = (uint8_t)(word_of(f.code[i]) >> 8);
    }
    for (int i = 0; i < 4; i++)
        out[4 + i] = (uint8_t)(bits >> (8 * i));
}

void ref_bc1_encode_block(const uint8_t rgb[16][3], enum ref_bc1_level level,
                          uint8_t out[REF_BC1_BLOCK_SIZE])
{
    int lo[3] = {255, 255, 255}, hi[3] = {0};
    for (int t = 0; t < 16; t++) {
        for (int c = 0; c < 3; c++) {
            lo[c] = rgb[t][c] < lo[c] ? rgb[t][c] : lo[c];
            hi[c] = rgb[t][c] > hi[c] ? rgb[t][c] : hi[c];
        }
    }
    struct fit f;
    if (memcmp(lo, hi, sizeof lo) == 0) {
        f = fit_color(rgb);
    } else {
        f = fit_box(rgb, lo, hi);
        improve(rgb, level, &f);
    }
    pack(rgb, f, out);
}
