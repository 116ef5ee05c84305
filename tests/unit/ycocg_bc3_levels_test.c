// SPDX-License-Identifier: MIT
// The levels of the YCoCg BC3 reference against each other, by what decoders make of their blocks.
// WEIR_SEED repeats a run.

#include "tests/ref/ycocg_bc3.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/seeded.h"

typedef uint8_t texels_t[16][3];
#define CONST(texels) ((const uint8_t(*)[3])(texels)) // C11 does not add it to an array by itself

static int num_failures;

static void fail(const char *what, texels_t texels)
{
    if (++num_failures > 8) {
        return;
    }
    printf("not so: %s\n  texels", what);
    for (int t = 0; t < 16; t++) {
        printf(" %d,%d,%d", texels[t][0], texels[t][1], texels[t][2]);
    }
    printf("\n");
}

static void fail_all(const char *what)
{
    num_failures++;
    printf("not so: %s\n", what);
}

static uint8_t clamp8(int v)
{
    return (uint8_t)(v < 0 ? 0 : v > 255 ? 255 : v);
}

// ---- The error of a block ----

// On a GPU, by the measure of the encoder: Y leans by 3/16, and scales 2 and 4 are between the two
// that decoders have.
static double gpu_error(texels_t texels, const uint8_t block[16])
{
    const int blue = block[8] & 31;
    const double middle = blue == 1 ? 999.0 / 496 : blue == 3 ? 2005.0 / 496 : 1;
    const double correct = (1 + 255.0 / 248 * blue) / middle;
    double rgb[16][3], sum = 0;
    ref_ycocg_bc3_decode_block_exact(block, rgb);
    for (int t = 0; t < 16; t++) {
        double e[3];
        const int r = texels[t][0], g = texels[t][1], b = texels[t][2];
        e[0] = (rgb[t][0] + 2 * rgb[t][1] + rgb[t][2] - r - 2 * g - b) / 4;
        e[1] = (rgb[t][0] - rgb[t][2]) / 2 * correct - (r - b) / 2.0;
        e[2] = (2 * rgb[t][1] - rgb[t][0] - rgb[t][2]) / 4 * correct - (2 * g - r - b) / 4.0;
        sum += 8 / 3.0 * (e[0] - 3 / 16.0) * (e[0] - 3 / 16.0) + 2 * e[1] * e[1] +
               3 * (e[2] - e[0] / 3) * (e[2] - e[0] / 3);
    }
    return sum;
}

static double decoded_error(texels_t texels, const uint8_t block[16], bool ffmpeg)
{
    uint8_t decoded[16][3];
    double sum = 0;
    ref_ycocg_bc3_decode_block(block, ffmpeg, decoded);
    for (int i = 0; i < 48; i++) {
        const double e = decoded[i / 3][i % 3] - texels[i / 3][i % 3];
        sum += e * e;
    }
    return sum;
}

static double error_at(texels_t texels, bool ffmpeg, enum ref_ycocg_bc3_level level)
{
    uint8_t block[16];
    ref_ycocg_bc3_encode_block(CONST(texels), ffmpeg, level, block);
    return ffmpeg ? decoded_error(texels, block, true) : gpu_error(texels, block);
}

// ---- Cases ----

// Away from 0 and 255, where a decoder's clamping does not forgive an error.
static void draw(texels_t texels, int i)
{
    const int amplitude = 1 << seeded_below(7);
    int base[3], ramp[3];
    for (int c = 0; c < 3; c++) {
        base[c] = 100 + seeded_below(56);
        ramp[c] = i % 2 ? seeded_below(17) - 8 : 0;
    }
    for (int t = 0; t < 16; t++) {
        for (int c = 0; c < 3; c++) {
            texels[t][c] = clamp8(base[c] + (t % 4 - t / 4) * ramp[c] + seeded_below(amplitude) -
                                  amplitude / 2);
        }
    }
}

// High is no worse than default in any block, and every level better than the one before it in the
// mean of blocks of noise.
static void test_order(bool ffmpeg, double slack)
{
    double sum[3] = {0, 0, 0};
    for (int i = 0; i < 10000; i++) {
        texels_t texels;
        draw(texels, i);
        double error[3];
        for (int level = 0; level < 3; level++) {
            error[level] = error_at(texels, ffmpeg, (enum ref_ycocg_bc3_level)level);
            sum[level] += error[level];
        }
        if (sqrt(error[REF_YCOCG_BC3_HIGH]) > sqrt(error[REF_YCOCG_BC3_DEFAULT]) + slack) {
            fail("high is no worse than default", texels);
        }
    }
    if (sum[REF_YCOCG_BC3_DEFAULT] > 0.9 * sum[REF_YCOCG_BC3_FAST]) {
        fail_all("default is better than fast in the mean");
    }
    if (sum[REF_YCOCG_BC3_HIGH] > 0.96 * sum[REF_YCOCG_BC3_DEFAULT]) {
        fail_all("high is better than default in the mean");
    }
}

// Texels of 0, 255 and a narrow range: six values and the two that every block has.
static void test_six(void)
{
    for (int i = 0; i < 1000; i++) {
        texels_t texels;
        const int base = 60 + seeded_below(120);
        for (int t = 0; t < 16; t++) {
            memset(texels[t], t == 0 ? 0 : t == 1 ? 255 : base + seeded_below(12), 3);
        }
        for (int model = 0; model < 2; model++) {
            uint8_t block[16], decoded[16][3];
            ref_ycocg_bc3_encode_block(CONST(texels), model, REF_YCOCG_BC3_HIGH, block);
            ref_ycocg_bc3_decode_block(block, model, decoded);
            if (block[0] > block[1]) {
                fail("high takes six values where there are 0 and 255", texels);
            }
            for (int k = 0; k < 48; k++) {
                if (abs(decoded[k / 3][k % 3] - texels[k / 3][k % 3]) > 3) {
                    fail("six values, 0 and 255 come back", texels);
                }
            }
        }
    }
}

// One texel a little past what scale 4 holds: the others gain more from it than that texel loses.
static void test_scale(void)
{
    int num_finer = 0;
    for (int i = 0; i < 1000; i++) {
        texels_t texels;
        uint8_t block[16];
        for (int t = 0; t < 16; t++) {
            const int co = t == 0 ? 33 : seeded_below(17) - 8, y = 128 + seeded_below(3);
            for (int c = 0; c < 3; c++) {
                texels[t][c] = clamp8(y + (c == 0 ? co : c == 2 ? -co : 0));
            }
        }
        ref_ycocg_bc3_encode_block(CONST(texels), false, REF_YCOCG_BC3_HIGH, block);
        num_finer += (block[8] & 31) == 3;
    }
    if (num_finer < 100) {
        fail_all("high takes a finer scale than fits where that is better");
    }
}

int main(void)
{
    seeded_start();
    // FFmpeg's values are whole, but a third of the error of Y is rounded to 1/24. On a GPU the
    // endpoints of both blocks are rounded to 1/8 code.
    const double third = 4 * sqrt(3) / 48;
    test_order(true, third);
    test_order(false, 2 * (third + 4 * sqrt(5) / 16));
    test_six();
    test_scale();
    if (num_failures) {
        printf("%d failures\n", num_failures);
    }
    return num_failures != 0;
}
