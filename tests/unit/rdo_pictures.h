// SPDX-License-Identifier: MIT
// Drawn pictures, their blocks, and what a decoder says of them, for tests of rate-distortion
// optimisation.
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "tests/expect.h"
#include "tests/kernels/kernels.h"
#include "tests/kernels/rdo.h"
#include "tests/ref/block.h"
#include "tests/sanitized.h"
#include "tests/seeded.h"

enum {
    WIDTH = 148, // a tile of 32 blocks, and one of 5
    HEIGHT = 140,
    COLUMNS = WIDTH / 4,
    ROWS = HEIGHT / 4,
    NUM_BLOCKS = COLUMNS * ROWS,
    TILE = 32,
    WINDOW = 128,
    HALF = 8,
    MAX_BLOCK_SIZE = 16,
    MAX_ADDED = 3, // to a block's squared error, of the squared deviation of its texels
};

typedef uint8_t picture[HEIGHT][WIDTH][4];
typedef uint8_t blocks[NUM_BLOCKS * MAX_BLOCK_SIZE]; // without gaps

// A codec, and the channels whose error is bounded together.
static const struct subject {
    enum weir_codec codec;
    int num_measures;
    struct measure {
        int first, num;
    } measures[2];
    bool is_texture;
} subjects[] = {
    {WEIR_CODEC_YCOCG_BC3, 1, {{0, 3}}, false},   {WEIR_CODEC_BC1, 1, {{0, 3}}, false},
    {WEIR_CODEC_BC1, 1, {{0, 3}}, true},          {WEIR_CODEC_BC3, 2, {{3, 1}, {0, 3}}, false},
    {WEIR_CODEC_BC4, 1, {{0, 1}}, false},         {WEIR_CODEC_BC5, 2, {{0, 1}, {1, 1}}, false},
    {WEIR_CODEC_BC7, 2, {{3, 1}, {0, 3}}, false},
};

#define EXPECT(is_so, what, value, bound)                                                          \
    test_expect(is_so, "%s: %.3f, not %.3f", what, (double)(value), (double)(bound))

static inline uint8_t clamp8(double v)
{
    return (uint8_t)(v < 0 ? 0 : v > 255 ? 255 : lrint(v));
}

// 0 .. 1, without both
static inline double uniform(void)
{
    return (seeded_below(1 << 24) + 0.5) / (1 << 24);
}

// About Gaussian, of a deviation of 1.
static inline double noise(void)
{
    return (uniform() + uniform() + uniform() + uniform() - 2) * sqrt(3);
}

// Slopes and edges, in cells of which some or all have grain. Grain comes again after eight texels,
// with noise. Alpha has one value in half of the cells.
static inline void draw(picture out, bool all_have_grain)
{
    double base[4], slope[4][2], grain[5], pattern[8][8];
    for (int c = 0; c < 4; c++) {
        base[c] = 40 + seeded_below(120);
        slope[c][0] = (uniform() - 0.5) / 4;
        slope[c][1] = (uniform() - 0.5) / 4;
    }
    for (int i = 0; i < 5; i++) {
        const bool has_grain = all_have_grain || i == 0 || seeded_below(2) == 0;
        grain[i] = has_grain ? 2 + uniform() * 8 : 0;
    }
    for (int i = 0; i < 64; i++) {
        pattern[i / 8][i % 8] = noise();
    }
    const int side = 5 + seeded_below(40);
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            const int cell = (x / side + 2 * (y / side)) % 5;
            const double bright = (pattern[y % 8][x % 8] + noise() / 4) * grain[cell] + 20 * cell;
            for (int c = 0; c < 4; c++) {
                out[y][x][c] = clamp8(base[c] + slope[c][0] * x + slope[c][1] * y + bright);
            }
            out[y][x][3] = cell % 2 == 0 ? 255 : out[y][x][3];
        }
    }
}

static inline int block_size_of(const struct subject *s)
{
    return (int)weir_codec_get_info(s->codec)->block_size;
}

static inline const uint8_t *block_of(const struct subject *s, const blocks encoded, int block)
{
    return encoded + (size_t)block * (size_t)block_size_of(s);
}

// Decode by exact fractions, in codes; those that the optimiser rounds are rounded.
static inline void decode(const struct subject *s, const uint8_t *bytes, double out[16][4])
{
    ref_block_decode(s->codec, bytes, out);
    for (int i = 0; i < 64 && s->codec != WEIR_CODEC_YCOCG_BC3; i++) {
        out[i / 4][i % 4] = floor(out[i / 4][i % 4] + 0.5);
    }
}

static inline const uint8_t *texel_of(picture from, int block, int t)
{
    return from[4 * (block / COLUMNS) + t / 4][4 * (block % COLUMNS) + t % 4];
}

// Get the root of a block's squared error.
static inline double error_of(const struct subject *s, const struct measure *m, picture from,
                              int block, const uint8_t *bytes)
{
    double decoded[16][4], sum = 0;
    decode(s, bytes, decoded);
    for (int t = 0; t < 16; t++) {
        const uint8_t *want = texel_of(from, block, t);
        for (int c = m->first; c < m->first + m->num; c++) {
            sum += (decoded[t][c] - want[c]) * (decoded[t][c] - want[c]);
        }
    }
    return sqrt(sum);
}

static inline double deviation_of(const struct measure *m, picture from, int block)
{
    double sum = 0;
    for (int c = m->first; c < m->first + m->num; c++) {
        double all = 0, squares = 0;
        for (int t = 0; t < 16; t++) {
            const int v = texel_of(from, block, t)[c];
            all += v;
            squares += (double)v * v;
        }
        sum += squares - all * all / 16;
    }
    return sum;
}

static inline double squared_error(const struct subject *s, picture from, const blocks encoded)
{
    double sum = 0;
    for (int i = 0; i < s->num_measures * NUM_BLOCKS; i++) {
        const int b = i / s->num_measures;
        const struct measure *m = &s->measures[i % s->num_measures];
        const double error = error_of(s, m, from, b, block_of(s, encoded, b));
        sum += floor(error * error + 0.001); // whole, but for YCoCg
    }
    return sum;
}

static inline void encode_alone(const struct subject *s, picture from, blocks out)
{
    kernel_encode_image(&(struct weir_encoder_params){.codec = s->codec}, from[0][0], 4,
                        sizeof(from[0]), WIDTH, HEIGHT, out);
}

// Optimise blocks, and hold what the kernel says of their error against a decoder.
static inline struct weir_rdo_result optimise(const struct subject *s, picture from, int quality,
                                              uint8_t *history, blocks out)
{
    const struct kernel_picture p = {&from[0][0][0], sizeof(from[0]), 4, WIDTH, HEIGHT};
    const struct weir_rdo_params params = {.codec = s->codec, .texture = s->is_texture};
    const struct weir_rdo_result result = kernel_rdo(&params, &p, weir_rdo_lambda(quality), history,
                                                     out);
    const double want = squared_error(s, from, out);
    const bool is_rounded = s->codec == WEIR_CODEC_YCOCG_BC3; // to quarters of a code
    const double slack = is_rounded ? 0.01 * want + WIDTH * HEIGHT : 0;
    EXPECT(fabs((double)result.squared_error / 16 - want) <= slack, "the error that it says",
           (double)result.squared_error / 16, want);
    return result;
}

// Get the block so many before another in its tile, -1 for none.
static inline int block_before(int block, int distance)
{
    const int x = block % COLUMNS, y = block / COLUMNS;
    const int left = x - x % TILE, top = y - y % TILE;
    const int width = COLUMNS - left < TILE ? COLUMNS - left : TILE;
    const int place = (y - top) * width + x - left - distance;
    return place < 0 ? -1 : (top + place / width) * COLUMNS + left + place % width;
}
