// SPDX-License-Identifier: MIT
// Scalar reference of the BC1 encoder, opaque.
#ifndef WEIR_TESTS_REF_BC1_H
#define WEIR_TESTS_REF_BC1_H

#include <stdint.h>

// A block of 8 bytes: two colours c0 and c1 of 5:6:5 bits, red highest, then 16 codes of 2 bits, texel 0 lowest.
// Where c0 > c1 as numbers, a texel has c0, c1, a third of the way from c0 to c1, or two. Only blocks of one colour
// have c0 = c1, and only code 0.
enum { REF_BC1_BLOCK_SIZE = 8 };

enum ref_bc1_level {
    REF_BC1_FAST,    // the box of the colours, two steps of least squares
    REF_BC1_DEFAULT, // and once all pairs of neighbours of both ends of a channel
    REF_BC1_HIGH,    // and again, with both ends moved at once, until nothing is better
};

// Encode 4x4 texels, row-major. Integer arithmetic decides every bit.
void ref_bc1_encode_block(const uint8_t rgb[16][3], enum ref_bc1_level level,
                          uint8_t out[REF_BC1_BLOCK_SIZE]);

#endif
