// SPDX-License-Identifier: MIT
// Rows of RGBA texels in memory.
#ifndef WEIR_CAPTURE_FILES_SOURCE_ROWS_H
#define WEIR_CAPTURE_FILES_SOURCE_ROWS_H

#include <stddef.h>
#include <stdint.h>

struct weir_rows {
    uint8_t *pixels;        // borrowed
    size_t pitch;           // from one row to the next [bytes]
    uint32_t width, height; // [texels]
    uint32_t texel_size;    // 4: codes of 8 bits; 8: of 16, or half floats [bytes]
};

// Multiply codes of 8 or 16 bits by alpha, which is 0 to 1, or divide them, each to the nearest
// code, halves upwards. Colours above their alpha become the largest code; where alpha is 0, they
// are kept when they are divided.
void weir_alpha_multiply(const struct weir_rows *rows);
void weir_alpha_divide(const struct weir_rows *rows);

#endif
