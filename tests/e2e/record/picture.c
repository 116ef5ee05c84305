// SPDX-License-Identifier: MIT
// The picture of a frame, which says its number.
#include "picture.h"

enum { COLUMNS = 4, ROWS = 4, PATCH_COLUMNS = 8, PATCH_ROWS = 2, STEP = 36 };

// Column and row of so many in a part of the picture that begins at `top`.
static struct picture_rect place(uint32_t width, uint32_t top, uint32_t height,
                                 const uint32_t at[2], const uint32_t num[2])
{
    const uint32_t x = at[0] * width / num[0], y = at[1] * height / num[1];
    return (struct picture_rect){
        .x = x,
        .y = top + y,
        .width = (at[0] + 1) * width / num[0] - x,
        .height = (at[1] + 1) * height / num[1] - y,
    };
}

struct picture_rect picture_rect(uint32_t width, uint32_t height, uint32_t number, unsigned i)
{
    const uint32_t middle = height * 3 / 4;
    if (i < PICTURE_CELLS) {
        const uint32_t at[2] = {i % COLUMNS, i / COLUMNS}, num[2] = {COLUMNS, ROWS};
        struct picture_rect rect = place(width, 0, middle, at, num);
        rect.codes[0] = rect.codes[1] = rect.codes[2] = (number >> i & 1) != 0 ? 255 : 0;
        return rect;
    }
    const uint32_t at[2] = {i % PATCH_COLUMNS, (i - PICTURE_CELLS) / PATCH_COLUMNS};
    const uint32_t num[2] = {PATCH_COLUMNS, PATCH_ROWS};
    struct picture_rect rect = place(width, middle, height - middle, at, num);
    const uint8_t ramp = (uint8_t)(at[0] * STEP), top = (PATCH_COLUMNS - 1) * STEP;
    rect.codes[0] = rect.codes[2] = ramp;
    rect.codes[1] = at[1] == 0 ? ramp : top - ramp;
    return rect;
}
