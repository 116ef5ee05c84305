// SPDX-License-Identifier: MIT
// Alpha: codes are multiplied by it, or divided.
#include "capture/files/source/scale.h"

#include <stdbool.h>

// `max` is the largest code, and a constant where these are called, so that it divides fast.
static inline uint32_t multiply(uint32_t code, uint32_t alpha, uint32_t max)
{
    return (uint32_t)((2 * (uint64_t)code * alpha + max) / (2 * (uint64_t)max));
}

static inline uint32_t divide(uint32_t code, uint32_t alpha, uint32_t max)
{
    if (alpha == 0) {
        return code;
    }
    return code < alpha ? (uint32_t)((2 * (uint64_t)code * max + alpha) / (2 * (uint64_t)alpha))
                        : max;
}

static void map_8(uint8_t *texel, uint32_t width, bool divides)
{
    for (uint32_t x = 0; x < width; x++, texel += 4) {
        const uint8_t alpha = texel[3];
        for (int c = 0; c < 3 && alpha < UINT8_MAX; c++) {
            texel[c] = (uint8_t)(divides ? divide(texel[c], alpha, UINT8_MAX)
                                         : multiply(texel[c], alpha, UINT8_MAX));
        }
    }
}

static void map_16(uint16_t *texel, uint32_t width, bool divides)
{
    for (uint32_t x = 0; x < width; x++, texel += 4) {
        const uint16_t alpha = texel[3];
        for (int c = 0; c < 3 && alpha < UINT16_MAX; c++) {
            texel[c] = (uint16_t)(divides ? divide(texel[c], alpha, UINT16_MAX)
                                          : multiply(texel[c], alpha, UINT16_MAX));
        }
    }
}

static void map(const struct weir_rows *rows, bool divides)
{
    for (uint32_t y = 0; y < rows->height; y++) {
        uint8_t *row = rows->pixels + y * rows->pitch;
        if (rows->texel_size == 4) {
            map_8(row, rows->width, divides);
        } else {
            map_16((uint16_t *)(void *)row, rows->width, divides);
        }
    }
}

void weir_alpha_multiply(const struct weir_rows *rows)
{
    map(rows, false);
}

void weir_alpha_divide(const struct weir_rows *rows)
{
    map(rows, true);
}
