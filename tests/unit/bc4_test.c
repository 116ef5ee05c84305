// SPDX-License-Identifier: MIT
// The BC4 reference beside all pairs of endpoints: never better, seldom much worse, exact where it can be.
// WEIR_SEED repeats a run.
#include "tests/ref/bc4.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/block/block.h"
#include "tests/seeded.h"

static int num_failures;
static void fail(const char *what, const uint8_t v[16])
{
    num_failures++;
    printf("not so: %s:", what);
    for (int t = 0; t < 16; t++)
        printf(" %d", v[t]);
    printf("\n");
}

static void decode(const uint8_t *block, double values[16])
{
    float texels[16][4];
    weir_block_get_format(VK_FORMAT_BC4_UNORM_BLOCK)->decode(block, texels);
    for (int t = 0; t < 16; t++)
        values[t] = 255.0 * (double)texels[t][0];
}

static double decoded_error(const uint8_t v[16], const uint8_t *block)
{
    double values[16], error = 0;
    decode(block, values);
    for (int t = 0; t < 16; t++)
        error += (v[t] - values[t]) * (v[t] - values[t]);
    return error;
}

// The eight values of each pair of endpoints: those of a block whose texels have the codes 0 to 7.
static double palettes[256][256][16];

static void fill_palettes(void)
{
    for (int a0 = 0; a0 < 256; a0++) {
        for (int a1 = 0; a1 < 256; a1++) {
            const uint64_t codes = 076543210;
            uint8_t block[8] = {(uint8_t)a0, (uint8_t)a1};
            for (int i = 0; i < 3; i++)
                block[2 + i] = (uint8_t)(codes >> (8 * i));
            decode(block, palettes[a0][a1]);
        }
    }
}

static double best_error(const uint8_t v[16])
{
    double best = INFINITY;
    for (int a0 = 0; a0 < 256; a0++) {
        for (int a1 = 0; a1 < 256; a1++) {
            const double *values = palettes[a0][a1];
            double error = 0;
            for (int t = 0; t < 16 && error < best; t++) {
                double least = INFINITY;
                for (int k = 0; k < 8; k++)
                    least = fmin(least, fabs(v[t] - values[k]));
                error += least * least;
            }
            best = fmin(best, error);
        }
    }
    return best;
}

static double encoded_error(const uint8_t v[16], enum ref_bc4_level level)
{
    uint8_t block[REF_BC4_BLOCK_SIZE];
    ref_bc4_encode_block(v, level, block);
    return decoded_error(v, block);
}

static void draw(uint8_t v[16], int kind)
{
    const int base = seeded_below(256), spread = 1 + seeded_below(60);
    for (int t = 0; t < 16; t++) {
        const int noise = seeded_below(spread);
        const int outlier = seeded_below(8) == 0 ? seeded_below(256) : base + noise;
        const int value = kind == 0   ? seeded_below(256)
                          : kind == 1 ? base + noise - spread / 2
                          : kind == 2 ? outlier
                                      : base + t * spread / 16;
        v[t] = (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
    }
}

// How much is lost over all blocks, and by each alone nothing gained by a lower level.
static void test_against_all(void)
{
    double sum[3] = {0}, best = 0;
    for (int i = 0; i < 200; i++) {
        uint8_t v[16];
        draw(v, i % 4);
        const double least = best_error(v);
        double last = INFINITY;
        for (int level = REF_BC4_FAST; level <= REF_BC4_HIGH; level++) {
            const double error = encoded_error(v, (enum ref_bc4_level)level);
            if (error < least - 1e-6)
                fail("an error below the least there is", v);
            if (error > last + 1e-6)
                fail("a higher level is no worse", v);
            last = error;
            sum[level] += error;
        }
        best += least;
    }
    printf("error over the least: fast %.3f, default %.3f, high %.3f\n", sum[REF_BC4_FAST] / best,
           sum[REF_BC4_DEFAULT] / best, sum[REF_BC4_HIGH] / best);
    static const uint8_t none[16];
    if (sum[REF_BC4_HIGH] > 1.25 * best)
        fail("high is within a quarter of the least error", none);
}

static void test_exact(void)
{
    for (int i = 0; i < 2000; i++) {
        uint8_t v[16];
        const int a = seeded_below(256), b = seeded_below(256);
        for (int t = 0; t < 16; t++)
            v[t] = (uint8_t)(seeded_below(2) ? a : b);
        for (int level = REF_BC4_FAST; level <= REF_BC4_HIGH; level++) {
            if (encoded_error(v, (enum ref_bc4_level)level) > 1e-9)
                fail("one or two values are exact", v);
        }
    }
    for (int a = 0; a + 7 < 256; a++) {
        uint8_t v[16];
        for (int t = 0; t < 16; t++)
            v[t] = (uint8_t)(a + t % 8);
        if (encoded_error(v, REF_BC4_FAST) > 1e-9)
            fail("a ramp of eight codes is exact", v);
    }
}

int main(void)
{
    seeded_start();
    fill_palettes();
    test_exact();
    test_against_all();
    return num_failures != 0;
}
