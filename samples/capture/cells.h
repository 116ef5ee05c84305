// SPDX-License-Identifier: MIT
// The frame's number as a row of black and white cells, which survives block compression: a test
// reads order and completeness out of the decoded movie.
#ifndef SAMPLE_CAPTURE_CELLS_H
#define SAMPLE_CAPTURE_CELLS_H

#include <stdint.h>
#include <vulkan/vulkan_core.h>

// Draw the row, in a render pass with one colour attachment of that size.
void cells_draw(VkCommandBuffer cmd, uint32_t width, uint32_t height, uint64_t number);

#endif
