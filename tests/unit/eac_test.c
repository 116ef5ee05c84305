// SPDX-License-Identifier: MIT
// The EAC reference beside all blocks there are: never better, hardly worse. WEIR_SEED repeats a run.
#include "tests/ref/eac.h"

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

// Khronos Data Format Specification, "ETC2", table of EAC's modifiers.
static const int modifiers[16][8] = {
    {-3, -6, -9, -15, 2, 5, 8, 14}, {-3, -7, -10, -13, 2, 6, 9, 12}, {-2, -5, -8, -13, 1, 4, 7, 12},
    {-2, -4, -6, -13, 1, 3, 5, 12}, {-3, -6, -8, -12, 2, 5, 7, 11},  {-3, -7, -9, -11, 2, 6, 8, 10},
    {-4, -7, -8, -11, 3, 6, 7, 10}, {-3, -5, -8, -11, 2, 4, 7, 10},  {-2, -6, -8, -10, 1, 5, 7, 9},
    {-2, -5, -8, -10, 1, 4, 7, 9},  {-2, -4, -8, -10, 1, 3, 7, 9},   {-2, -5, -7, -10, 1, 4, 6, 9},
    {-3, -4, -7, -10, 2, 3, 6, 9},  {-1, -2, -3, -10, 0, 1, 2, 9},   {-4, -6, -8, -9, 3, 5, 7, 8},
    {-3, -5, -7, -9, 2, 4, 6, 8},
};

static int value_of(int base, int multiplier, int table, int code)
{
    const int step = modifiers[table][code] * (multiplier ? 8 * multiplier : 1);
    const int value = base * 8 + 4 + step;
    return value < 0 ? 0 : value > 2047 ? 2047 : value;
}

// Of 2047, as the encoder has it: 8 bits widened.
static int widened(uint8_t v)
{
    return (v * 2047 + 127) / 255;
}

static double decoded_error(const uint8_t v[16], const uint8_t *block)
{
    uint64_t word = 0;
    for (int i = 0; i < 8; i++)
        word = word << 8 | block[i];
    double error = 0;
    for (int p = 0; p < 16; p++) {
        const int code = (int)(word >> (45 - 3 * p) & 7), t = p % 4 * 4 + p / 4;
        const double e = widened(v[t]) - value_of(block[0], block[1] >> 4, block[1] & 15, code);
        error += e * e;
    }
    return error;
}

static double best_error(const uint8_t v[16])
{
    int best = 1 << 30;
    for (int i = 0; i < 1 << 16; i++) {
        const int base = i >> 8, multiplier = i >> 4 & 15, table = i & 15;
        int values[8], error = 0;
        for (int code = 0; code < 8; code++)
            values[code] = value_of(base, multiplier, table, code);
        for (int t = 0; t < 16 && error < best; t++) {
            int least = 1 << 12;
            for (int code = 0; code < 8; code++) {
                const int distance = abs(values[code] - widened(v[t]));
                least = distance < least ? distance : least;
            }
            error += least * least;
        }
        best = error < best ? error : best;
    }
    return best;
}

static double encoded_error(const uint8_t v[16], enum ref_eac_level level)
{
    uint8_t block[REF_EAC_BLOCK_SIZE];
    ref_eac_encode_block(v, level, block);
    return decoded_error(v, block);
}

static void test_one_value(void)
{
    for (int value = 0; value < 256; value++) {
        uint8_t v[16];
        memset(v, value, sizeof v);
        if (encoded_error(v, REF_EAC_FAST) > 0)
            fail("one value is exact", v);
    }
}

// Soft slopes with noise, as pictures have.
static void draw(uint8_t v[16])
{
    const int base = below(256), x = below(25) - 12, y = below(25) - 12, noise = 1 + below(20);
    for (int t = 0; t < 16; t++) {
        const int value = base + x * (t % 4) + y * (t / 4) + below(noise);
        v[t] = (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
    }
}

static void test_against_all(void)
{
    double sum[3] = {0}, best = 0;
    for (int i = 0; i < 120; i++) {
        uint8_t v[16];
        draw(v);
        const double least = best_error(v);
        double last = INFINITY;
        for (int level = REF_EAC_FAST; level <= REF_EAC_HIGH; level++) {
            const double error = encoded_error(v, (enum ref_eac_level)level);
            if (error < least)
                fail("an error below the least there is", v);
            if (error > last)
                fail("a higher level is no worse", v);
            last = error;
            sum[level] += error;
        }
        best += least;
    }
    const double loss = 10 * log10(sum[REF_EAC_DEFAULT] / best);
    printf("below all combinations [dB]: fast %.2f, default %.2f, high %.2f\n",
           10 * log10(sum[REF_EAC_FAST] / best), loss, 10 * log10(sum[REF_EAC_HIGH] / best));
    static const uint8_t none[16];
    if (loss > 0.2)
        fail("default is within 0.2 dB of all combinations", none);
}

int main(void)
{
    const char *seed = getenv("WEIR_SEED");
    state = seed ? strtoull(seed, NULL, 10) : (uint64_t)time(NULL);
    printf("seed: WEIR_SEED=%llu\n", (unsigned long long)state);
    test_one_value();
    test_against_all();
    return num_failures != 0;
}
