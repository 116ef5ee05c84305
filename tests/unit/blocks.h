// SPDX-License-Identifier: MIT
// What tests of encoders share: blocks of texels, what is expected of one, and of efforts.
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/expect.h"
#include "tests/kernels/kernels.h"
#include "tests/sanitized.h"
#include "tests/seeded.h"

enum { FAST, DEFAULT, HIGH, NUM_EFFORTS }; // as kernel_efforts[]

typedef uint8_t rgb_block[16][3];
typedef uint8_t rgba_block[16][4];

static inline uint8_t clamp8(int v)
{
    return (uint8_t)(v < 0 ? 0 : v > 255 ? 255 : v);
}

// kernel_encode_rgb() and kernel_encode(): C11 does not add const to an array by itself.
static inline void encode_rgb(const struct weir_encoder_params *params, rgb_block rgb,
                              uint8_t *block)
{
    kernel_encode_rgb(params, (const uint8_t(*)[3])rgb, block);
}

static inline void encode_rgba(const struct weir_encoder_params *params, rgba_block rgba,
                               uint8_t *block)
{
    kernel_encode(params, (const uint8_t(*)[4])rgba, block);
}

// Print the values where it is not so: bytes, int16_t or int, by their size.
static inline void expect_values(bool is_so, const char *what, const void *values, size_t num,
                                 size_t size)
{
    if (is_so) {
        return;
    }
    char text[16 * 4 * 7 + 1] = "";
    int length = 0;
    for (size_t i = 0; i < num; i++) {
        const int value = size == 1   ? ((const uint8_t *)values)[i]
                          : size == 2 ? ((const int16_t *)values)[i]
                                      : ((const int *)values)[i];
        length += snprintf(text + length, sizeof(text) - (size_t)length, " %d", value);
    }
    test_expect(false, "%s:%s", what, text);
}

// Expect something of an array of 16 texels.
#define EXPECT_BLOCK(is_so, what, texels)                                                          \
    expect_values(is_so, what, (texels)[0], 16 * sizeof((texels)[0]) / sizeof((texels)[0][0]),     \
                  sizeof((texels)[0][0]))

// Expect each effort to have less of an error than the one below, in the sum over blocks.
static inline void expect_better_efforts(const double sum[NUM_EFFORTS], int num_blocks)
{
    printf("mean error: fast %.1f, default %.1f, high %.1f\n", sum[FAST] / num_blocks,
           sum[DEFAULT] / num_blocks, sum[HIGH] / num_blocks);
    test_expect(sum[DEFAULT] <= sum[FAST] && sum[HIGH] <= sum[DEFAULT],
                "higher efforts are better in the mean");
}
