// SPDX-License-Identifier: MIT
// The contact sheet of a pyramid: the largest level at the left, the others below each other at its
// right.
#ifndef WEIR_CAPTURE_WEIR_MIPS_SHEET_H
#define WEIR_CAPTURE_WEIR_MIPS_SHEET_H

#include <stdbool.h>
#include <stdint.h>

#include <weir/result.h>

struct mips_sheet {
    uint32_t width, height; // [texels]
    // The first level that is shown, as the levels before it are too large, and the number of the
    // pyramid's levels.
    uint32_t first_level, num_levels;
    uint32_t base_width, base_height; // size of level 0 [texels]
    uint8_t *pixels;                  // RGB, rows without space between them
};

// The side that a level may have to be shown; a level above it gives its place to a smaller one.
enum { MIPS_SHEET_MAX_SIDE = 4096 };

// Lay it out and fill it with the background. Errors: WEIR_ERROR_OUT_OF_MEMORY. Finish it in every
// case.
enum weir_result mips_sheet_init(struct mips_sheet *sheet, uint32_t width, uint32_t height,
                                 uint32_t num_levels);
void mips_sheet_finish(struct mips_sheet *sheet);

// Draw row `y` of a level that is shown, from RGBA display codes. Alpha lets the background
// through.
void mips_sheet_draw(struct mips_sheet *sheet, uint32_t level, uint32_t y, const float *row,
                     bool has_alpha);

#endif
