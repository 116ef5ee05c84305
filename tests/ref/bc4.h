// SPDX-License-Identifier: MIT
// Scalar reference of the BC4 and BC5 encoders.
#ifndef WEIR_TESTS_REF_BC4_H
#define WEIR_TESTS_REF_BC4_H

#include <stdint.h>

// A block of 8 bytes: endpoints a0 and a1, then 16 codes of 3 bits, texel 0 lowest.
//   a0 > a1: the eight values a0 + k (a1 - a0) / 7
//   else:    the six values a0 + k (a1 - a0) / 5, and 0 and 255, or -127 and 127 of a signed block
// with k = 0 and the last k as codes 0 and 1, those between as codes 2 and on.
enum { REF_BC4_BLOCK_SIZE = 8 };

enum ref_bc4_effort {
    REF_BC4_FAST,    // the range of the texels, one step of least squares
    REF_BC4_DEFAULT, // three starts, two steps, and the six values where texels are near 0 or 255
    REF_BC4_HIGH,    // more starts, and endpoints around the best
    REF_BC4_EXHAUSTIVE, // all endpoints
};

// Encode 4x4 values, row-major. Integer arithmetic decides every bit.
void ref_bc4_encode_block(const uint8_t values[16], enum ref_bc4_effort effort,
                          uint8_t out[REF_BC4_BLOCK_SIZE]);

// Values -127 to 127 as a signed block; -128 counts as -127.
void ref_bc4_encode_block_signed(const int8_t values[16], enum ref_bc4_effort effort,
                                 uint8_t out[REF_BC4_BLOCK_SIZE]);

#endif
