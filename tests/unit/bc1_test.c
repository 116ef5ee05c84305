// SPDX-License-Identifier: MIT
// The BC1 reference: one colour as near as there is, two exact where they can be, higher levels never worse.
// WEIR_SEED repeats a run.
#include "tests/ref/bc1.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/block/block.h"
#include "tests/seeded.h"

static int num_failures;
static void fail(const char *what, const uint8_t rgb[16][3])
{
    num_failures++;
    printf("not so: %s:", what);
    for (int t = 0; t < 16; t++)
        printf(" %d,%d,%d", rgb[t][0], rgb[t][1], rgb[t][2]);
    printf("\n");
}

static unsigned word(const uint8_t *block, int end)
{
    return (unsigned)block[2 * end] | (unsigned)block[2 * end + 1] << 8;
}

// A channel of an endpoint in 0 .. 255.
static double channel(unsigned color, int c)
{
    return c == 0   ? (color >> 11) * 255.0 / 31
           : c == 1 ? (color >> 5 & 63) * 255.0 / 63
                    : (color & 31) * 255.0 / 31;
}

static int code(const uint8_t *block, int t)
{
    return block[4 + t / 4] >> (2 * (t % 4)) & 3;
}

static double squared_error(const uint8_t rgb[16][3], const uint8_t *block)
{
    float texels[16][4];
    weir_block_get_format(VK_FORMAT_BC1_RGB_UNORM_BLOCK)->decode(block, texels);
    double error = 0;
    for (int t = 0; t < 16; t++) {
        for (int c = 0; c < 3; c++) {
            const double e = rgb[t][c] - 255.0 * (double)texels[t][c];
            error += e * e;
        }
    }
    return error;
}

// Never the mode of three colours, but for blocks of one that only have code 0.
static double encoded_error(const uint8_t rgb[16][3], enum ref_bc1_level level)
{
    uint8_t block[REF_BC1_BLOCK_SIZE];
    ref_bc1_encode_block(rgb, level, block);
    bool only_zero = true;
    for (int t = 0; t < 16; t++)
        only_zero = only_zero && code(block, t) == 0;
    if (word(block, 0) < word(block, 1) || (word(block, 0) == word(block, 1) && !only_zero))
        fail("four colours", rgb);
    return squared_error(rgb, block);
}

// How near any two codes come to `value`, a third of the way.
static double least_third(int value, int max)
{
    double least = INFINITY;
    for (int a = 0; a <= max; a++)
        for (int b = 0; b <= max; b++)
            least = fmin(least, fabs(value - (2 * a + b) * 255.0 / (3 * max)));
    return least;
}

static void test_one_color(void)
{
    for (int v = 0; v < 256; v++) {
        uint8_t rgb[16][3];
        for (int t = 0; t < 16; t++)
            rgb[t][0] = rgb[t][1] = rgb[t][2] = (uint8_t)v;
        const double least5 = least_third(v, 31), least6 = least_third(v, 63);
        const double bound = 2 * (least5 + 0.15) * (least5 + 0.15) +
                             (least6 + 0.15) * (least6 + 0.15);
        // Values are in quarters of a code here, a third of two of which may be off by 0.125.
        if (encoded_error((const uint8_t(*)[3])rgb, REF_BC1_FAST) > 16 * bound)
            fail("one colour is as near as two codes come", (const uint8_t(*)[3])rgb);
    }
}

static void test_two_colors(void)
{
    for (int i = 0; i < 2000; i++) {
        const unsigned colors[2] = {(unsigned)seeded_below(65536), (unsigned)seeded_below(65536)};
        uint8_t rgb[16][3];
        for (int t = 0; t < 16; t++) {
            const unsigned color = colors[t < 2 ? t : seeded_below(2)];
            for (int c = 0; c < 3; c++)
                rgb[t][c] = (uint8_t)lround(channel(color, c));
        }
        // Each texel is half a code off at most: what its endpoint has been rounded by.
        if (encoded_error((const uint8_t(*)[3])rgb, REF_BC1_HIGH) > 16 * 3 * 0.25)
            fail("two colours of 5:6:5 bits are kept", (const uint8_t(*)[3])rgb);
    }
}

static void draw(uint8_t rgb[16][3], int kind)
{
    int base[3], way[3];
    for (int c = 0; c < 3; c++) {
        base[c] = seeded_below(256);
        way[c] = seeded_below(121) - 60;
    }
    for (int t = 0; t < 16; t++) {
        const int along = seeded_below(17);
        for (int c = 0; c < 3; c++) {
            const int value = kind == 0 ? seeded_below(256)
                                        : base[c] + way[c] * along / 16 +
                                              (kind == 1 ? seeded_below(8) : 0);
            rgb[t][c] = (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
        }
    }
}

static void test_levels(void)
{
    double sum[3] = {0};
    for (int i = 0; i < 6000; i++) {
        uint8_t rgb[16][3];
        draw(rgb, i % 3);
        double last = INFINITY;
        for (int level = REF_BC1_FAST; level <= REF_BC1_HIGH; level++) {
            // The encoder judges by values that are 1/8 of a code off at most, in each of 48 places.
            const double error = encoded_error((const uint8_t(*)[3])rgb, (enum ref_bc1_level)level);
            if (sqrt(error) > sqrt(last) + 2 * 0.125 * sqrt(48))
                fail("a higher level is no worse", (const uint8_t(*)[3])rgb);
            last = error;
            sum[level] += error;
        }
    }
    printf("mean error: fast %.1f, default %.1f, high %.1f\n", sum[0] / 6000, sum[1] / 6000,
           sum[2] / 6000);
    static const uint8_t none[16][3];
    if (sum[1] > sum[0] || sum[2] > sum[1])
        fail("higher levels are better in the mean", none);
}

int main(void)
{
    seeded_start();
    test_one_color();
    test_two_colors();
    test_levels();
    return num_failures != 0;
}
