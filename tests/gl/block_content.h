// SPDX-License-Identifier: MIT
// Blocks that decoders are tested with: any bits, and what any bits hit too rarely.
#ifndef WEIR_TESTS_GL_BLOCK_CONTENT_H
#define WEIR_TESTS_GL_BLOCK_CONTENT_H

#include <stdint.h>
#include <vulkan/vulkan_core.h>

// Starts the random numbers, of tests/seeded.h.
void block_content_seed(void);

// A block of any bits.
void block_content_draw_any(uint32_t block_size, uint8_t *block);

// A block on purpose: each mode of the format as often as the others, modes that are reserved,
// equal and swapped endpoints, the first and last codes, sums at the edge of a mode.
void block_content_draw(VkFormat format, uint32_t block_size, uint8_t *block);

#endif
