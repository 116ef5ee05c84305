// SPDX-License-Identifier: MIT
// Decodes blocks of BC7.
#ifndef WEIR_TESTS_REF_BC7_DECODE_H
#define WEIR_TESTS_REF_BC7_DECODE_H

#include <stdint.h>

// Decode a block to 4x4 RGBA texels, row-major. A block of no mode is 0 in all channels.
void ref_bc7_decode_block(const uint8_t block[16], uint8_t texels[16][4]);

#endif
