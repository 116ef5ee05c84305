// SPDX-License-Identifier: MIT
// The kernel of EAC, unsigned, signed and as alpha, beside all blocks there are: never better,
// hardly worse. WEIR_SEED repeats a run.
#include "tests/kernels/kernels.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/files/block/block.h"
#include "shaders/color/constants.h"
#include "tests/seeded.h"

enum { BLOCK_SIZE = 8, FAST = 0, DEFAULT, HIGH }; // as kernel_efforts[]

static int num_failures;
static void fail(const char *what, const int v[16])
{
    num_failures++;
    printf("not so: %s:", what);
    for (int t = 0; t < 16; t++) {
        printf(" %d", v[t]);
    }
    printf("\n");
}

// The kinds of blocks, by their values.
static const struct kind {
    const char *name;
    enum weir_codec codec;
    uint32_t source_kind;
    VkFormat format; // in whose first 8 bytes the block is
    int channel, lowest, highest;
} kinds[] = {
    {"unsigned", WEIR_CODEC_EAC_R11, WEIR_SOURCE_FLOAT, VK_FORMAT_EAC_R11_UNORM_BLOCK, 0, 0, 2047},
    {"signed", WEIR_CODEC_EAC_R11_SNORM, WEIR_SOURCE_SIGNED_FLOAT, VK_FORMAT_EAC_R11_SNORM_BLOCK, 0,
     -1023, 1023},
    {"alpha", WEIR_CODEC_ETC2_RGBA, WEIR_SOURCE_CODES8, VK_FORMAT_ETC2_R8G8B8A8_UNORM_BLOCK, 3, 0,
     255},
};
enum { NUM_KINDS = sizeof(kinds) / sizeof(kinds[0]) };
static const struct kind *kind = kinds;

static void encode(const int v[16], enum weir_effort effort, uint8_t *block)
{
    const struct weir_encoder_params params = {.codec = kind->codec, .effort = effort};
    uint8_t whole[KERNEL_MAX_BLOCK_SIZE];
    float texels[16][4] = {{0}};
    for (int t = 0; t < 16; t++) {
        texels[t][kind->channel] = (float)v[t] / (float)kind->highest;
    }
    kernel_encode_source(&params, kind->source_kind, (const float(*)[4])texels, whole);
    memcpy(block, whole, BLOCK_SIZE);
}

static void decode(const uint8_t *block, int values[16])
{
    uint8_t whole[16] = {0};
    float texels[16][4];
    memcpy(whole, block, BLOCK_SIZE);
    weir_block_get_format(kind->format)->decode(whole, texels);
    for (int t = 0; t < 16; t++) {
        values[t] = (int)lround(kind->highest * (double)texels[t][kind->channel]);
    }
}

static double decoded_error(const int v[16], const uint8_t *block)
{
    int values[16];
    double error = 0;
    decode(block, values);
    for (int t = 0; t < 16; t++) {
        error += (v[t] - values[t]) * (v[t] - values[t]);
    }
    return error;
}

// The eight values of each combination of base, multiplier and table: those of a block whose first
// texels, in columns, have the codes 0 to 7.
static int palettes[1 << 16][8];

static void fill_palettes(void)
{
    for (int i = 0; i < 1 << 16; i++) {
        // Codes 0 1 2 3 4 5 6 7, the first one highest.
        const uint8_t block[8] = {(uint8_t)(i >> 8), (uint8_t)i, 0x05, 0x39, 0x77};
        int values[16];
        decode(block, values);
        for (int code = 0; code < 8; code++) {
            palettes[i][code] = values[code % 4 * 4 + code / 4];
        }
    }
}

// The least error of all combinations.
static double best_error(const int v[16])
{
    int best = 1 << 30;
    for (int i = 0; i < 1 << 16; i++) {
        int error = 0;
        for (int t = 0; t < 16 && error < best; t++) {
            int least = 1 << 12;
            for (int code = 0; code < 8; code++) {
                const int distance = abs(palettes[i][code] - v[t]);
                least = distance < least ? distance : least;
            }
            error += least * least;
        }
        best = error < best ? error : best;
    }
    return best;
}

static double encoded_error(const int v[16], enum weir_effort effort)
{
    uint8_t block[BLOCK_SIZE];
    encode(v, effort, block);
    return decoded_error(v, block);
}

static void test_one_value(void)
{
    for (int value = kind->lowest; value <= kind->highest; value++) {
        int v[16];
        for (int t = 0; t < 16; t++) {
            v[t] = value;
        }
        for (int effort = FAST; effort <= HIGH; effort++) {
            if (encoded_error(v, kernel_efforts[effort]) > 0) {
                fail("one value is exact", v);
            }
        }
    }
}

// Soft slopes with noise, as pictures have, from `base`.
static void draw(int base, int v[16])
{
    const int range = kind->highest - kind->lowest;
    const int slope = range / 20, x = seeded_below(2 * slope + 1) - slope,
              y = seeded_below(2 * slope + 1) - slope, noise = 1 + seeded_below(range / 13);
    for (int t = 0; t < 16; t++) {
        const int value = base + x * (t % 4) + y * (t / 4) + seeded_below(noise);
        v[t] = value < kind->lowest ? kind->lowest : value > kind->highest ? kind->highest : value;
    }
}

// Of codecs that have it: the alpha of ETC2 has not.
static void expect_exhaustive(const int v[16], double least)
{
    const bool has_it = weir_codec_get_info(kind->codec)->max_effort == WEIR_EFFORT_EXHAUSTIVE;
    if (has_it && encoded_error(v, WEIR_EFFORT_EXHAUSTIVE) != least) {
        fail("exhaustive has the least error there is", v);
    }
}

static void test_against_all(void)
{
    double sum[3] = {0}, best = 0;
    for (int i = 0; i < 100; i++) {
        int v[16];
        draw(kind->lowest + seeded_below(kind->highest - kind->lowest + 1), v);
        const double least = best_error(v);
        double last = INFINITY;
        for (int effort = FAST; effort <= HIGH; effort++) {
            const double error = encoded_error(v, kernel_efforts[effort]);
            if (error < least) {
                fail("an error below the least there is", v);
            }
            if (error > last) {
                fail("a higher effort is no worse", v);
            }
            last = error;
            sum[effort] += error;
        }
        best += least;
        expect_exhaustive(v, least);
    }
    const double loss = 10 * log10(sum[DEFAULT] / best);
    printf("%s, below all combinations [dB]: fast %.2f, default %.2f, high %.2f\n", kind->name,
           10 * log10(sum[FAST] / best), loss, 10 * log10(sum[HIGH] / best));
    static const int none[16];
    if (loss > 0.12) {
        fail("default is within 0.12 dB of all combinations", none);
    }
}

// From the least and the greatest value, where values are clamped: the nearest one of a texel may
// then be on the other side of the base, as in the first block.
static void test_ends(void)
{
    for (int i = 0; i < 40; i++) {
        int v[16] = {78, 50, 0, 0, 54, 39, 31, 16, 58, 43, 0, 0, 72, 33, 38, 12};
        if (i > 0 || kind->highest != 2047) {
            draw(i % 2 == 0 ? kind->lowest : kind->highest, v);
        }
        expect_exhaustive(v, best_error(v));
    }
}

// The least values, beside which the base would be -128: not written, as decoders take it for -127.
static void test_least(void)
{
    for (int i = 0; i < 2000; i++) {
        int v[16];
        uint8_t block[BLOCK_SIZE];
        for (int t = 0; t < 16; t++) {
            v[t] = seeded_below(1 + i % 40) - 1023;
        }
        encode(v, kernel_efforts[i % 3], block);
        static const int none[16];
        if (block[0] == 128) {
            fail("-128 is not written", none);
        }
    }
}

int main(void)
{
    seeded_start();
    for (kind = kinds; kind < kinds + NUM_KINDS; kind++) {
        fill_palettes();
        test_one_value();
        test_against_all();
        test_ends();
    }
    kind = &kinds[1];
    test_least();
    return num_failures != 0;
}
