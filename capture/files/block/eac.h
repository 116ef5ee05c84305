// SPDX-License-Identifier: MIT
// Code that the decoders of EAC and ETC2 share: the 64-bit word of a block, and EAC as alpha.
#ifndef WEIR_CAPTURE_FILES_BLOCK_EAC_H
#define WEIR_CAPTURE_FILES_BLOCK_EAC_H

#include <stdint.h>

// Read eight bytes, the most significant one first: the specification's int64bit.
static inline uint64_t weir_block_word(const uint8_t *bytes)
{
    uint64_t word = 0;
    for (int i = 0; i < 8; i++) {
        word = word << 8 | bytes[i];
    }
    return word;
}

// Get the bits low .. low + size - 1 of a word.
static inline int weir_block_bits(uint64_t word, int low, int size)
{
    return (int)(word >> low & ((UINT64_C(1) << size) - 1));
}

// Get the index in rows of a texel from its index in columns, by which a block numbers its texels
// ("a" .. "p" of the specification's figures).
static inline int weir_block_row_index(int texel)
{
    return texel % 4 * 4 + texel / 4;
}

// Set the alpha of 16 texels from the first half of a block of RGBA ETC2.
void weir_block_eac_alpha(const uint8_t *block, float (*texels)[4]);

#endif
