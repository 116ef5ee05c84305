// SPDX-License-Identifier: MIT
// Scalar reference of the ETC1 encoder, whose modes ETC2 has too.
#ifndef WEIR_TESTS_REF_ETC1_H
#define WEIR_TESTS_REF_ETC1_H

#include "tests/ref/etc.h"

// A block of 8 bytes, a word with the most significant first, is halves with a base colour and a
// table each: of 4:4:4 bits both ("individual"), or one of 5:5:5 and a difference of -4 to 3 from
// it ("differential"). A texel is its half's base and one of four modifiers of its table, the same
// for R, G and B.
struct ref_etc1_fit {
    bool is_flipped; // the halves are the upper and the lower
    bool is_individual;
    int code[2][3];
    int table[2];
    int error;
};

// If some texels are transparent, the block is one of ETC2 RGB8A1: it has no individual mode, and
// code 2 is transparent.
struct ref_etc1_fit ref_etc1_fit_texels(const struct ref_etc_texels *texels, bool has_individual,
                                        enum ref_etc_effort effort);
void ref_etc1_pack(const struct ref_etc_texels *texels, const struct ref_etc1_fit *fit,
                   uint8_t out[REF_ETC_BLOCK_SIZE]);

// Encode 4x4 texels, row-major. Integer arithmetic decides every bit.
void ref_etc1_encode_block(const uint8_t rgb[16][3], enum ref_etc_effort effort,
                           uint8_t out[REF_ETC_BLOCK_SIZE]);

#endif
