// SPDX-License-Identifier: MIT
// Scalar reference of the BC4 and BC5 encoders.
#ifndef WEIR_TESTS_REF_BC4_H
#define WEIR_TESTS_REF_BC4_H

#include <stddef.h>
#include <stdint.h>

// A block of 8 bytes: endpoints a0 and a1, then 16 codes of 3 bits, texel 0 lowest.
//   a0 > a1: the eight values a0 + k (a1 - a0) / 7
//   else:    the six values a0 + k (a1 - a0) / 5, and 0 and 255
// with k = 0 and the last k as codes 0 and 1, those between as codes 2 and on.
enum { REF_BC4_BLOCK_SIZE = 8 };

enum ref_bc4_level {
    REF_BC4_FAST,    // the range of the texels, one step of least squares
    REF_BC4_DEFAULT, // three steps, and the six values too where texels are near 0 or 255
    REF_BC4_HIGH,    // and all endpoints around what that finds
};

// Encode 4x4 values, row-major. Integer arithmetic decides every bit.
void ref_bc4_encode_block(const uint8_t values[16], enum ref_bc4_level level,
                          uint8_t out[REF_BC4_BLOCK_SIZE]);

// Encode an image of any size from 1x1: `num_channels` blocks, of the first channels, for each 4x4 texels; texels
// past an edge repeat it. A texel has `texel_size` bytes, a row `pitch`.
void ref_bc4_encode(const uint8_t *texels, size_t pitch, size_t texel_size, uint32_t width,
                    uint32_t height, uint32_t num_channels, enum ref_bc4_level level, uint8_t *out);

#endif
