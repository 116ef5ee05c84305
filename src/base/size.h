// SPDX-License-Identifier: MIT
// Arithmetic of sizes: the smaller and the larger one, divisions that round up, and mip levels.
#pragma once

#include <stdint.h>

static inline uint64_t weir_min(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static inline uint64_t weir_max(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static inline uint32_t weir_at_least_1(uint32_t n)
{
    return n > 0 ? n : 1;
}

// Get a / b, rounded up.
static inline uint64_t weir_divide_up(uint64_t a, uint64_t b)
{
    return a / b + (a % b > 0);
}

// Get the side of a level of an image whose level 0 has `side` texels.
static inline uint32_t weir_level_side(uint32_t side, uint32_t level)
{
    return level < 32 ? weir_at_least_1(side >> level) : 1;
}

// Get the number of levels of an image down to 1x1; 0 for an empty image.
static inline uint32_t weir_num_levels(uint32_t width, uint32_t height)
{
    uint32_t levels = 0;
    for (uint32_t side = width > height ? width : height; side > 0; side >>= 1) {
        levels++;
    }
    return width > 0 && height > 0 ? levels : 0;
}
