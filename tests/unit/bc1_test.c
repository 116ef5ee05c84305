// SPDX-License-Identifier: MIT
// The kernel of BC1: one colour as near as there is, two exact where they can be, higher efforts
// never worse, alpha kept, dither without bias.
// WEIR_SEED repeats a run.
#include "capture/files/block/block.h"
#include "tests/ref/block.h"
#include "tests/ref/source.h"
#include "tests/unit/blocks.h"

enum { BLOCK_SIZE = 8 };

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

static double squared_error(rgb_block rgb, const uint8_t *block)
{
    double texels[16][4], error = 0;
    ref_block_decode(WEIR_CODEC_BC1, block, texels);
    for (int i = 0; i < 48; i++) {
        const double e = rgb[i / 3][i % 3] - texels[i / 3][i % 3];
        error += e * e;
    }
    return error;
}

static void encode(rgb_block rgb, enum weir_effort effort, uint8_t *block)
{
    encode_rgb(&(struct weir_encoder_params){.codec = WEIR_CODEC_BC1, .effort = effort}, rgb,
               block);
}

// Three colours only at high, or where all texels have code 0, and never the black of that mode.
static double encoded_error(rgb_block rgb, enum weir_effort effort)
{
    uint8_t block[BLOCK_SIZE];
    encode(rgb, effort, block);
    bool only_zero = true, has_black = false;
    for (int t = 0; t < 16; t++) {
        only_zero = only_zero && code(block, t) == 0;
        has_black = has_black || code(block, t) == 3;
    }
    const unsigned ends[2] = {word(block, 0), word(block, 1)};
    EXPECT_BLOCK(ends[0] > ends[1] || (effort == WEIR_EFFORT_HIGH && !has_black) || only_zero,
                 "four colours, or three without black", rgb);
    return squared_error(rgb, block);
}

// How near any two codes come to `value`, a third of the way.
static double least_third(int value, int max)
{
    double least = INFINITY;
    for (int a = 0; a <= max; a++) {
        for (int b = 0; b <= max; b++) {
            least = fmin(least, fabs(value - (2 * a + b) * 255.0 / (3 * max)));
        }
    }
    return least;
}

// Not grey, where tint counts too.
static void test_one_color(void)
{
    for (int v = 0; v < 256; v++) {
        uint8_t rgb[16][3];
        for (int t = 0; t < 16; t++) {
            rgb[t][0] = rgb[t][1] = (uint8_t)v;
            rgb[t][2] = (uint8_t)(v ^ 1);
        }
        double bound = 0;
        for (int c = 0; c < 3; c++) {
            const double least = least_third(rgb[0][c], c == 1 ? 63 : 31) + 0.15;
            bound += least * least;
        }
        // Values are in quarters of a code here, a third of two of which may be off by 0.125.
        EXPECT_BLOCK(encoded_error(rgb, WEIR_EFFORT_FAST) <= 16 * bound,
                     "one colour is as near as two codes come", rgb);
    }
}

static void test_two_colors(void)
{
    for (int i = 0; i < 2000; i++) {
        const unsigned colors[2] = {(unsigned)seeded_below(65536), (unsigned)seeded_below(65536)};
        uint8_t rgb[16][3];
        for (int t = 0; t < 16; t++) {
            const unsigned color = colors[t < 2 ? t : seeded_below(2)];
            for (int c = 0; c < 3; c++) {
                rgb[t][c] = (uint8_t)lround(channel(color, c));
            }
        }
        // Each texel is half a code off at most: what its endpoint has been rounded by.
        EXPECT_BLOCK(encoded_error(rgb, WEIR_EFFORT_HIGH) <= 16 * 3 * 0.25,
                     "two colours of 5:6:5 bits are kept", rgb);
    }
}

// Three colours of 5:6:5 bits, the second half way between the others, are kept at high. Less than
// 16 codes of G apart another line may be nearly as good.
static void test_three_colors(void)
{
    for (int i = 0; i < 2000; i++) {
        int ends[2][3];
        for (int c = 0; c < 6; c++) {
            ends[c / 3][c % 3] = seeded_below(c % 3 == 1 ? 64 : 32);
        }
        ends[1][1] = (ends[0][1] + 4 + seeded_below(57)) % 64;
        uint8_t rgb[16][3];
        for (int t = 0; t < 16; t++) {
            const int step = t < 3 ? t : seeded_below(3);
            for (int c = 0; c < 3; c++) {
                const int sum = (2 - step) * ends[0][c] + step * ends[1][c];
                rgb[t][c] = (uint8_t)lround(sum * 255.0 / (c == 1 ? 126 : 62));
            }
        }
        EXPECT_BLOCK(encoded_error(rgb, WEIR_EFFORT_HIGH) <= 16 * 3 * 0.25,
                     "three colours of 5:6:5 bits are kept", rgb);
    }
}

// A slope of grey of a code in `length` texels keeps its tint, G less R and B, small.
static void test_grey(void)
{
    for (int length = 1; length <= 24; length++) {
        for (int i = 0; i < 64; i++) {
            uint8_t rgb[16][3], block[BLOCK_SIZE];
            double texels[16][4];
            for (int t = 0; t < 16; t++) {
                memset(rgb[t], i + (i + t % 4) / length, 3);
            }
            encode(rgb, WEIR_EFFORT_DEFAULT, block);
            ref_block_decode(WEIR_CODEC_BC1, block, texels);
            for (int t = 0; t < 16; t++) {
                const double tint = texels[t][1] - (texels[t][0] + texels[t][2]) / 2;
                EXPECT_BLOCK(fabs(tint) <= 2.4, "grey stays grey", rgb);
            }
        }
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
            rgb[t][c] = clamp8(value);
        }
    }
}

static void test_efforts(void)
{
    double sum[3] = {0};
    for (int i = 0; i < 6000; i++) {
        uint8_t rgb[16][3];
        draw(rgb, i % 3);
        double last = INFINITY;
        for (int effort = FAST; effort <= HIGH; effort++) {
            // The encoder judges by values that are 1/8 of a code off at most, in each of 48
            // places.
            const double error = encoded_error(rgb, kernel_efforts[effort]);
            EXPECT_BLOCK(sqrt(error) <= sqrt(last) + 2 * 0.125 * sqrt(48),
                         "a higher effort is no worse", rgb);
            last = error;
            sum[effort] += error;
        }
    }
    expect_better_efforts(sum, 6000);
}

static void decode_alpha(const uint8_t *block, float texels[16][4])
{
    weir_block_decode(weir_block_get_format(VK_FORMAT_BC1_RGBA_UNORM_BLOCK), block, texels);
}

// The squared error over all texels that are not transparent.
static double visible_error(rgba_block rgba, float texels[16][4])
{
    double error = 0;
    for (int t = 0; t < 16; t++) {
        for (int c = 0; c < 3 && rgba[t][3] >= 128; c++) {
            const double e = rgba[t][c] - 255.0 * (double)texels[t][c];
            error += e * e;
        }
    }
    return error;
}

// Alpha is 0 under 128 and 1 from there on, and does not change what opaque texels cost where they
// are two colours.
static void test_alpha(void)
{
    for (int i = 0; i < 6000; i++) {
        uint8_t rgb[16][3], rgba[16][4], block[BLOCK_SIZE];
        float texels[16][4];
        draw(rgb, i % 3);
        const int percent = seeded_below(3) * 50, two = i % 5 == 0;
        const unsigned colors[2] = {(unsigned)seeded_below(65536), (unsigned)seeded_below(65536)};
        for (int t = 0; t < 16; t++) {
            const unsigned color = colors[seeded_below(2)];
            for (int c = 0; c < 3; c++) {
                rgba[t][c] = two ? (uint8_t)lround(channel(color, c)) : rgb[t][c];
            }
            const bool hides = seeded_below(100) < percent;
            rgba[t][3] = (uint8_t)(seeded_below(128) + (hides ? 0 : 128));
        }
        double last = INFINITY;
        for (int effort = FAST; effort <= HIGH; effort++) {
            encode_rgba(&(struct weir_encoder_params){.codec = WEIR_CODEC_BC1A,
                                                      .effort = kernel_efforts[effort]},
                        rgba, block);
            decode_alpha(block, texels);
            for (int t = 0; t < 16; t++) {
                EXPECT_BLOCK((texels[t][3] > 0.5f) == (rgba[t][3] >= 128),
                             "alpha is that of the texel", rgb);
            }
            const double error = visible_error(rgba, texels);
            EXPECT_BLOCK(sqrt(error) <= sqrt(last) + 2 * 0.125 * sqrt(48),
                         "a higher effort with alpha is no worse", rgb);
            last = error;
        }
        EXPECT_BLOCK(!two || last <= 16 * 3 * 0.25,
                     "two colours beside transparent texels are kept", rgb);
    }
}

// No worse than four colours, and exact where there are black and two colours that are not dark.
static void test_black(void)
{
    for (int i = 0; i < 3000; i++) {
        uint8_t rgb[16][3], block[BLOCK_SIZE];
        draw(rgb, i % 3);
        const bool exact = i % 4 == 0;
        const unsigned colors[2] = {(unsigned)seeded_below(65536) | 0x400,
                                    (unsigned)seeded_below(65536) | 0x400};
        for (int t = 0; t < 16; t++) {
            const int which = seeded_below(3);
            for (int c = 0; c < 3; c++) {
                rgb[t][c] = which == 2 ? (uint8_t)seeded_below(exact ? 1 : 9)
                            : exact    ? (uint8_t)lround(channel(colors[which], c))
                                       : rgb[t][c];
            }
        }
        for (int effort = FAST; effort <= HIGH; effort++) {
            const double four = encoded_error(rgb, kernel_efforts[effort]);
            encode_rgb(&(struct weir_encoder_params){.codec = WEIR_CODEC_BC1,
                                                     .bc1_black = true,
                                                     .effort = kernel_efforts[effort]},
                       rgb, block);
            const double error = squared_error(rgb, block);
            EXPECT_BLOCK(sqrt(error) <= sqrt(four) + 2 * 0.125 * sqrt(48),
                         "with black a block is no worse", rgb);
            EXPECT_BLOCK(!exact || effort != HIGH || error <= 16 * 3 * 0.25,
                         "black and two colours are kept", rgb);
        }
    }
}

// A level picture, dithered: the mean over the pattern is the picture.
static void test_dither(void)
{
    for (uint32_t fine = 0; fine <= 255 * 1024; fine += 331) {
        const uint32_t color[3] = {fine, fine, fine};
        int sum[3] = {0};
        for (uint32_t i = 0; i < 64; i++) {
            uint8_t rgb[3];
            ref_source_dither_bc1(color, ref_source_dither(i % 8, i / 8), rgb);
            for (int c = 0; c < 3; c++) {
                sum[c] += rgb[c];
            }
        }
        for (int c = 0; c < 3; c++) { // steps are up to half a code off
            test_expect(fabs(sum[c] / 64.0 - fine / 1024.0) <= 0.55,
                        "the mean of dithered texels is right");
        }
    }
}

int main(void)
{
    seeded_start();
    test_one_color();
    test_two_colors();
    test_three_colors();
    test_grey();
    test_efforts();
    test_alpha();
    test_black();
    test_dither();
    return test_finish();
}
