// SPDX-License-Identifier: MIT
// The contact sheet of a pyramid: the largest level at the left, the others below each other at its
// right.
#include "capture/weir/mips/sheet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <weir/pyramid.h>

#include "capture/base/size.h"

enum { GAP = 4, BACKGROUND = 0x5a }; // a dark grey that neither black nor white disappears in

static VkExtent2D extent_of(const struct mips_sheet *sheet, uint32_t level)
{
    return weir_pyramid_level_extent(sheet->base_width, sheet->base_height, level);
}

// Get the position in the sheet of a level's texel (0, 0). False if the sheet does not show the
// level.
static bool place(const struct mips_sheet *sheet, uint32_t level, uint32_t *left, uint32_t *top)
{
    if (level < sheet->first_level || level >= sheet->num_levels) {
        return false;
    }
    *left = *top = GAP;
    if (level > sheet->first_level) {
        *left += extent_of(sheet, sheet->first_level).width + GAP;
    }
    for (uint32_t above = sheet->first_level + 1; above < level; above++) {
        *top += extent_of(sheet, above).height + GAP;
    }
    return true;
}

enum weir_result mips_sheet_init(struct mips_sheet *sheet, uint32_t width, uint32_t height,
                                 uint32_t num_levels)
{
    *sheet = (struct mips_sheet){
        .num_levels = num_levels, .base_width = width, .base_height = height};
    while (sheet->first_level + 1 < num_levels &&
           weir_max(extent_of(sheet, sheet->first_level).width,
                    extent_of(sheet, sheet->first_level).height) > MIPS_SHEET_MAX_SIDE) {
        sheet->first_level++;
    }
    for (uint32_t level = sheet->first_level; level < num_levels; level++) {
        uint32_t left = 0, top = 0;
        place(sheet, level, &left, &top);
        sheet->width = weir_max(sheet->width, left + extent_of(sheet, level).width + GAP);
        sheet->height = weir_max(sheet->height, top + extent_of(sheet, level).height + GAP);
    }
    const size_t size = (size_t)sheet->width * sheet->height * 3;
    sheet->pixels = malloc(size);
    if (!sheet->pixels) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    memset(sheet->pixels, BACKGROUND, size);
    return WEIR_OK;
}

void mips_sheet_finish(struct mips_sheet *sheet)
{
    free(sheet->pixels);
    *sheet = (struct mips_sheet){0};
}

void mips_sheet_draw(struct mips_sheet *sheet, uint32_t level, uint32_t y, const float *row,
                     bool has_alpha)
{
    uint32_t left, top;
    if (!place(sheet, level, &left, &top)) {
        return;
    }
    uint8_t *pixel = sheet->pixels + ((size_t)(top + y) * sheet->width + left) * 3;
    const uint32_t width = extent_of(sheet, level).width;
    for (uint32_t x = 0; x < width; x++, row += 4, pixel += 3) {
        const float alpha = has_alpha ? fminf(fmaxf(row[3], 0), 1) : 1;
        for (int c = 0; c < 3; c++) {
            const float value = fminf(fmaxf(row[c], 0), 1);
            pixel[c] = (uint8_t)lrintf(255 * value * alpha + BACKGROUND * (1 - alpha));
        }
    }
}
