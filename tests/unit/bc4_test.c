// SPDX-License-Identifier: MIT
// The kernel of BC4, unsigned and signed, beside all pairs of endpoints: never better, seldom much
// worse, exact where it can be. WEIR_SEED repeats a run.
#include "tests/kernels/kernels.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/files/block/block.h"
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

// Both kinds of blocks, by their values.
static const struct kind {
    const char *name;
    VkFormat format;
    int lowest, highest;
} kinds[] = {
    {"unsigned", VK_FORMAT_BC4_UNORM_BLOCK, 0, 255},
    {"signed", VK_FORMAT_BC4_SNORM_BLOCK, -127, 127},
};
static const struct kind *kind = kinds;

static int clamp(int value)
{
    return value < kind->lowest ? kind->lowest : value > kind->highest ? kind->highest : value;
}

// lowest .. highest
static int any_value(void)
{
    return kind->lowest + seeded_below(kind->highest - kind->lowest + 1);
}

static void encode(const int v[16], enum weir_effort effort, uint8_t *block)
{
    uint8_t texels[16][4] = {{0}};
    for (int t = 0; t < 16; t++) {
        texels[t][0] = (uint8_t)v[t];
    }
    const struct weir_encoder_params params = {
        .codec = kind->lowest < 0 ? WEIR_CODEC_BC4_SNORM : WEIR_CODEC_BC4, .effort = effort};
    kernel_encode(&params, (const uint8_t(*)[4])texels, block);
}

static void decode(const uint8_t *block, double values[16])
{
    float texels[16][4];
    weir_block_get_format(kind->format)->decode(block, texels);
    for (int t = 0; t < 16; t++) {
        values[t] = kind->highest * (double)texels[t][0];
    }
}

static double decoded_error(const int v[16], const uint8_t *block)
{
    double values[16], error = 0;
    decode(block, values);
    for (int t = 0; t < 16; t++) {
        error += (v[t] - values[t]) * (v[t] - values[t]);
    }
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
            for (int i = 0; i < 3; i++) {
                block[2 + i] = (uint8_t)(codes >> (8 * i));
            }
            decode(block, palettes[a0][a1]);
        }
    }
}

static double best_error(const int v[16])
{
    double best = INFINITY;
    for (int a0 = 0; a0 < 256; a0++) {
        for (int a1 = 0; a1 < 256; a1++) {
            const double *values = palettes[a0][a1];
            double error = 0;
            for (int t = 0; t < 16 && error < best; t++) {
                double least = INFINITY;
                for (int k = 0; k < 8; k++) {
                    least = fmin(least, fabs(v[t] - values[k]));
                }
                error += least * least;
            }
            best = fmin(best, error);
        }
    }
    return best;
}

// The most that rounding in the decoder's floats may change an error. It is 255 times half a unit
// in the last place for a texel, and so twice that times the sum of 16 differences for a block.
// That sum is at most 4 times the root of the error.
static double float_slack(double error)
{
    return 1e-6 + 2 * 255 * 6e-8 * 4 * sqrt(error);
}

static double encoded_error(const int v[16], enum weir_effort effort)
{
    uint8_t block[BLOCK_SIZE];
    encode(v, effort, block);
    return decoded_error(v, block);
}

static void draw(int v[16], int what)
{
    const int base = any_value(), spread = 1 + seeded_below(60);
    for (int t = 0; t < 16; t++) {
        const int noise = seeded_below(spread);
        const int outlier = seeded_below(8) == 0 ? any_value() : base + noise;
        v[t] = clamp(what == 0   ? any_value()
                     : what == 1 ? base + noise - spread / 2
                     : what == 2 ? outlier
                                 : base + t * spread / 16);
    }
}

// How much is lost over all blocks, and by each alone nothing gained by a lower effort. Where all
// endpoints are tried nothing is lost.
static void test_against_all(void)
{
    double sum[3] = {0}, best = 0;
    for (int i = 0; i < 100; i++) {
        int v[16];
        draw(v, i % 4);
        const double least = best_error(v);
        double last = INFINITY;
        for (int effort = FAST; effort <= HIGH; effort++) {
            const double error = encoded_error(v, kernel_efforts[effort]);
            if (error < least - float_slack(least)) {
                fail("an error below the least there is", v);
            }
            if (error > last + float_slack(error)) {
                fail("a higher effort is no worse", v);
            }
            last = error;
            sum[effort] += error;
        }
        best += least;
        if (fabs(encoded_error(v, WEIR_EFFORT_EXHAUSTIVE) - least) > float_slack(least)) {
            fail("all endpoints have the least error", v);
        }
    }
    printf("%s, error over the least: fast %.3f, default %.3f, high %.3f\n", kind->name,
           sum[FAST] / best, sum[DEFAULT] / best, sum[HIGH] / best);
    static const int none[16];
    if (sum[HIGH] > 1.05 * best) {
        fail("high is within a twentieth of the least error", none);
    }
}

// Edges of letters and panels: two values, and some between them.
static void test_edges(void)
{
    double sum = 0, best = 0;
    for (int i = 0; i < 100; i++) {
        const int value[4] = {any_value(), any_value(), any_value(), any_value()};
        int v[16];
        for (int t = 0; t < 16; t++) {
            v[t] = value[seeded_below(3 + i % 2)];
        }
        best += best_error(v);
        sum += encoded_error(v, WEIR_EFFORT_HIGH);
    }
    printf("%s, edges, error over the least: high %.3f\n", kind->name, sum / best);
    static const int none[16];
    if (sum > 1.3 * best) {
        fail("high is within three tenths of the least error where there are few values", none);
    }
}

static void test_exact(void)
{
    for (int i = 0; i < 1000; i++) {
        int v[16];
        const int a = any_value(), b = any_value();
        for (int t = 0; t < 16; t++) {
            v[t] = seeded_below(2) ? a : b;
        }
        for (int effort = FAST; effort <= HIGH; effort++) {
            if (encoded_error(v, kernel_efforts[effort]) > 1e-9) {
                fail("one or two values are exact", v);
            }
        }
    }
    for (int a = kind->lowest; a <= kind->highest; a++) {
        int v[16];
        const int range = 2 + seeded_below(6);
        for (int t = 0; t < 16; t++) {
            v[t] = clamp(a + seeded_below(range + 1));
        }
        for (int effort = FAST; effort <= HIGH; effort++) {
            if (encoded_error(v, kernel_efforts[effort]) > 1e-9) {
                fail("up to eight codes in a row are exact", v);
            }
        }
    }
    for (int a = kind->lowest; a + 7 <= kind->highest; a++) {
        int v[16];
        for (int t = 0; t < 16; t++) {
            v[t] = a + t % 8;
        }
        if (encoded_error(v, WEIR_EFFORT_FAST) > 1e-9) {
            fail("a ramp of eight codes is exact", v);
        }
    }
}

// Endpoints that rounding has made equal select the six values and not the eight, and then codes 6
// and 7 are the ends of the range: texels far from all others, in blocks that are nearly flat.
static void test_speckles(void)
{
    for (int i = 0; i < 8000; i++) {
        int v[16];
        uint8_t block[BLOCK_SIZE];
        double values[16];
        const int base = any_value(), spread = 1 + seeded_below(4);
        for (int t = 0; t < 16; t++) {
            v[t] = clamp(base + seeded_below(spread));
        }
        encode(v, kernel_efforts[seeded_below(3)], block);
        decode(block, values);
        for (int t = 0; t < 16; t++) {
            if (fabs(values[t] - v[t]) > 0.51) {
                fail("a block that is nearly flat has no speckles", v);
                break;
            }
        }
    }
}

// -128 is the same value as -127, and decoders differ in what follows where it is the lesser
// endpoint.
static void test_least(void)
{
    for (int i = 0; i < 1000; i++) {
        int v[16], moved[16];
        uint8_t block[2][BLOCK_SIZE];
        for (int t = 0; t < 16; t++) {
            v[t] = seeded_below(2) ? -128 : seeded_below(6) - 128;
            moved[t] = v[t] == -128 ? -127 : v[t];
        }
        encode(v, kernel_efforts[i % 3], block[0]);
        encode(moved, kernel_efforts[i % 3], block[1]);
        static const int none[16];
        if (memcmp(block[0], block[1], sizeof(block[0])) != 0) {
            fail("-128 is -127", none);
        }
        if (block[0][0] == 128 || block[0][1] == 128) {
            fail("-128 is not written", none);
        }
    }
}

int main(void)
{
    seeded_start();
    for (kind = kinds; kind < kinds + 2; kind++) {
        fill_palettes();
        test_exact();
        test_speckles();
        test_against_all();
        test_edges();
    }
    kind = &kinds[1];
    test_least();
    return num_failures != 0;
}
