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

#endif
