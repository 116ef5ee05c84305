// SPDX-License-Identifier: MIT
// The frame's number as a row of black and white cells, which survives block compression: a test
// reads order and completeness out of the decoded movie.
#include "cells.h"

#include <stdbool.h>
#include <vulkan/vulkan.h>

// Cells from the left edge: white, black, the number's bits from the lowest (white is 1), black,
// white.
#define CELLS_NUM_BITS 20
#define CELLS_NUM (CELLS_NUM_BITS + 4)

// The place of the row in the image. Cells are squares of `side` texels, a multiple of 8, and the
// row starts at texel (0, top). Their borders are borders of 4x4 blocks, so no block mixes two
// cells.
struct cells_layout {
    uint32_t top, side;
};

// Get the place of the row. False if the image is too small; it has no row then.
static bool cells_layout_get(uint32_t width, uint32_t height, struct cells_layout *layout)
{
    uint32_t side = height < 1440 ? 8 : 8 * (height / 720);
    if ((uint64_t)side * CELLS_NUM > width) {
        side = 8;
    }
    if (side * CELLS_NUM > width || height < 2 * side) {
        return false;
    }
    layout->side = side;
    layout->top = height / 4 * 4 - side;
    return true;
}

// True if cell `i` is white in the row of frame `number`.
static bool cells_is_white(uint32_t i, uint64_t number)
{
    if (i < 2) {
        return i == 0;
    }
    if (i >= CELLS_NUM_BITS + 2) {
        return i == CELLS_NUM - 1;
    }
    return (number >> (i - 2)) & 1;
}

// Clears write exact codes, black 0 and white 255, and need no pipeline.
void cells_draw(VkCommandBuffer cmd, uint32_t width, uint32_t height, uint64_t number)
{
    struct cells_layout layout;
    if (!cells_layout_get(width, height, &layout)) {
        return;
    }
    for (int white = 0; white <= 1; ++white) {
        const float level = (float)white;
        const VkClearAttachment color = {
            VK_IMAGE_ASPECT_COLOR_BIT, 0, {.color = {{level, level, level, 1.0f}}}};
        VkClearRect rects[CELLS_NUM];
        uint32_t num_rects = 0;
        for (uint32_t i = 0; i < CELLS_NUM; ++i) {
            if (cells_is_white(i, number) == white) {
                rects[num_rects++] = (VkClearRect){
                    {{(int32_t)(i * layout.side), (int32_t)layout.top}, {layout.side, layout.side}},
                    0,
                    1};
            }
        }
        vkCmdClearAttachments(cmd, 1, &color, num_rects, rects);
    }
}
