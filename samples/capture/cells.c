// SPDX-License-Identifier: MIT
// The frame's number as a row of black and white cells, which survives block compression: a test
// reads order and completeness out of the decoded movie.
#include "cells.h"

#include <vulkan/vulkan.h>

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
