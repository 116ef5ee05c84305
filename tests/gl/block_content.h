// SPDX-License-Identifier: MIT
// Blocks that decoders are tested with: any bits, and what any bits hit too rarely.
#pragma once

#include <stdint.h>
#include <vulkan/vulkan_core.h>

#include "capture/files/block/block.h"

// A block of any bits.
void block_content_draw_any(uint32_t block_size, uint8_t *block);

// A block on purpose: each mode of the format as often as the others, modes that are reserved,
// equal and swapped endpoints, the first and last codes, sums at the edge of a mode.
void block_content_draw(VkFormat format, uint32_t block_size, uint8_t *block);

// Hold the texels that something else has sampled of a block, which lie `pitch` texels apart from
// row to row, against those of the decoder: light where the format is sRGB. Fails with the first
// that is farther than the tolerance. Returns the largest deviation: 1 is the largest code.
double block_content_compare(const struct weir_block_format *format, const uint8_t *block,
                             const float (*sampled)[4], size_t pitch, double tolerance);
