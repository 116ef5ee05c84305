// SPDX-License-Identifier: MIT
// The BC4 reference beside all pairs of endpoints: never better, seldom much worse, exact where it can be.
// WEIR_SEED repeats a run.
#include "tests/ref/bc4.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int num_failures;
static uint64_t state;

static int below(int n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int)((state >> 33) % (uint64_t)n);
}

static void fail(const char *what, const uint8_t v[16])
{
    num_failures++;
    printf("not so: %s:", what);
    for (int t = 0; t < 16; t++)
        printf(" %d", v[t]);
    printf("\n");
}

// The eight values of a block, by the Khronos Data Format Specification, "RGTC".
static void palette(int a0, int a1, double out[8])
{
    const int steps = a0 > a1 ? 7 : 5;
    out[0] = a0;
    out[1] = a1;
    out[6] = 0;
    out[7] = 255;
    for (int k = 1; k < steps; k++)
        out[k + 1] = (double)((steps - k) * a0 + k * a1) / steps;
}

static double decoded_error(const uint8_t v[16], const uint8_t block[8])
{
    double values[8], error = 0;
    palette(block[0], block[1], values);
    uint64_t bits = 0;
    for (int i = 0; i < 6; i++)
        bits |= (uint64_t)block[2 + i] << (8 * i);
    for (int t = 0; t < 16; t++) {
        const double e = v[t] - values[bits >> (3 * t) & 7];
        error += e * e;
    }
    return error;
}

static double best_error(const uint8_t v[16])
{
    double best = INFINITY;
    for (int a0 = 0; a0 < 256; a0++) {
        for (int a1 = 0; a1 < 256; a1++) {
            double values[8], error = 0;
            palette(a0, a1, values);
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
    const int base = below(256), spread = 1 + below(60);
    for (int t = 0; t < 16; t++) {
        const int noise = below(spread);
        const int outlier = below(8) == 0 ? below(256) : base + noise;
        const int value = kind == 0   ? below(256)
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
        const int a = below(256), b = below(256);
        for (int t = 0; t < 16; t++)
            v[t] = (uint8_t)(below(2) ? a : b);
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
    const char *seed = getenv("WEIR_SEED");
    state = seed ? strtoull(seed, NULL, 10) : (uint64_t)time(NULL);
    printf("seed: WEIR_SEED=%llu\n", (unsigned long long)state);
    test_exact();
    test_against_all();
    return num_failures != 0;
}
