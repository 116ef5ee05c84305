// SPDX-License-Identifier: MIT
// Alpha: codes are multiplied by it, or divided.
#include "capture/files/source/scale.h"

#include <stdbool.h>

// `max` is the largest code, and a constant where it is called, so that it divides fast.
static inline uint32_t change(uint32_t code, uint32_t alpha, uint32_t max, bool divides)
{
    return alpha == max   ? code
           : !divides     ? (uint32_t)((2 * (uint64_t)code * alpha + max) / (2 * (uint64_t)max))
           : alpha == 0   ? code
           : code < alpha ? (uint32_t)((2 * (uint64_t)code * max + alpha) / (2 * (uint64_t)alpha))
                          : max;
}

static void map(const struct weir_rows *rows, bool divides)
{
    for (uint32_t y = 0; y < rows->height; y++) {
        uint8_t *codes = rows->pixels + y * rows->pitch;
        uint16_t *deep = (uint16_t *)(void *)codes;
        for (size_t i = 0; i < 4 * (size_t)rows->width; i++) {
            const size_t alpha = i | 3;
            if (i == alpha) {
                continue;
            }
            if (rows->texel_size == 4) {
                codes[i] = (uint8_t)change(codes[i], codes[alpha], UINT8_MAX, divides);
            } else {
                deep[i] = (uint16_t)change(deep[i], deep[alpha], UINT16_MAX, divides);
            }
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
