// SPDX-License-Identifier: MIT
// Scalar reference of the encoders of EAC R11 and RG11, and of the alpha of ETC2 RGBA.
#ifndef WEIR_TESTS_REF_EAC_H
#define WEIR_TESTS_REF_EAC_H

#include <stdint.h>

// A block of 8 bytes, the most significant first: base (8 bits), multiplier (4), table (4), and 16
// codes of 3 bits, the first texel's highest, in columns. A texel is base * 8 + 4 + modifier *
// multiplier * 8 of 2047, clamped, where a multiplier of 0 counts as 1/8; its code says which of
// the table's eight modifiers. A signed block has a base of -127 to 127, and a texel is base * 8 +
// modifier * multiplier * 8 of 1023.
enum { REF_EAC_BLOCK_SIZE = 8 };

// How many bases, multipliers and tables are tried: in photographs about 280, 760, 2,500 and all
// 65,536 combinations.
enum ref_eac_effort { REF_EAC_FAST, REF_EAC_DEFAULT, REF_EAC_HIGH, REF_EAC_EXHAUSTIVE };

// Encode 4x4 values of 11 bits, 0 to 2047, row-major. Integer arithmetic decides every bit.
void ref_eac_encode_block(const uint16_t values[16], enum ref_eac_effort effort,
                          uint8_t out[REF_EAC_BLOCK_SIZE]);

// Values -1023 to 1023 as a signed block.
void ref_eac_encode_block_signed(const int16_t values[16], enum ref_eac_effort effort,
                                 uint8_t out[REF_EAC_BLOCK_SIZE]);

// As the alpha of ETC2 RGBA: base + modifier * multiplier of 255, where a multiplier of 0 is 0.
void ref_eac_encode_alpha(const uint8_t values[16], enum ref_eac_effort effort,
                          uint8_t out[REF_EAC_BLOCK_SIZE]);

#endif
