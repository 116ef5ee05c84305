// SPDX-License-Identifier: MIT
// Scalar reference of the BC1 encoders: opaque, with black, with an alpha of one bit.
#ifndef WEIR_TESTS_REF_BC1_H
#define WEIR_TESTS_REF_BC1_H

#include <stdbool.h>
#include <stdint.h>

// A block of 8 bytes: two colours c0 and c1 of 5:6:5 bits, red highest, then 16 codes of 2 bits,
// texel 0 lowest. Where c0 > c1 as numbers, a texel has c0, c1, a third of the way from c0 to c1,
// or two. Else it has c0, c1, half of each, or the fourth code: black, with alpha 0 where the block
// has alpha.
enum { REF_BC1_BLOCK_SIZE = 8 };

enum ref_bc1_effort {
    REF_BC1_FAST,    // the box of the colours, two steps of least squares
    REF_BC1_DEFAULT, // and once all pairs of neighbours of both ends of a channel
    REF_BC1_HIGH,    // and again, with both ends moved at once, until nothing is better
};

// Encode 4x4 texels, row-major, as four colours; where there is one colour only, c0 may be c1, with
// no code but 0. `ffmpeg_model` tunes for FFmpeg's decoder, which drops fractions, in place of a
// GPU's exact fractions. Integer arithmetic decides every bit.
void ref_bc1_encode_block(const uint8_t rgb[16][3], bool ffmpeg_model, enum ref_bc1_effort effort,
                          uint8_t out[REF_BC1_BLOCK_SIZE]);

// The same with three colours and black where that is better, but at effort fast.
void ref_bc1_encode_block_black(const uint8_t rgb[16][3], bool ffmpeg_model,
                                enum ref_bc1_effort effort, uint8_t out[REF_BC1_BLOCK_SIZE]);

// RGBA: alpha under 128 is transparent, the fourth code. Blocks without such texels have four
// colours, at effort high three where that is better, and the fourth code never.
void ref_bc1a_encode_block(const uint8_t rgba[16][4], bool ffmpeg_model, enum ref_bc1_effort effort,
                           uint8_t out[REF_BC1_BLOCK_SIZE]);

// Decode a block as FFmpeg's decoders of HAP and DDS do, whose integer divisions truncate.
void ref_bc1_decode_ffmpeg(const uint8_t block[REF_BC1_BLOCK_SIZE], uint8_t rgb[16][3]);

#endif
