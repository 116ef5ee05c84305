// SPDX-License-Identifier: MIT
// Scalar reference of the scaled YCoCg in BC3 (HapY) encoder, and decoders to judge it.

#ifndef WEIR_TESTS_REF_YCOCG_BC3_H
#define WEIR_TESTS_REF_YCOCG_BC3_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A block of 16 bytes:
//   [0..7]   BC4 of Y
//   [8..15]  BC1 colour block, always four colours: red 5 bit = Co, green 6 bit = Cg, blue 5 bit =
//            scale - 1 in both endpoints, scale 1, 2 or 4
// with Y = (R + 2G + B) / 4, Co = (R - B) / 2, Cg = (2G - R - B) / 4 of the 8-bit code values,
// stored as Y, 128 + scale * Co, 128 + scale * Cg.
enum { REF_YCOCG_BC3_BLOCK_SIZE = 16 };

enum ref_ycocg_bc3_effort {
    REF_YCOCG_BC3_FAST,    // a step for Y, the box of CoCg, or a step where they are wide
    REF_YCOCG_BC3_DEFAULT, // two steps for Y, one or three for CoCg, which make up for its error
    REF_YCOCG_BC3_HIGH,    // endpoints around those, both modes of BC4, two scales
};

// The stages at which the encoder of effort default can stop; the tests compare them.
enum ref_ycocg_bc3_stage {
    REF_YCOCG_BC3_FULL,       // the encoder
    REF_YCOCG_BC3_BOX_LUMA,   // Y keeps the endpoints of the inset range
    REF_YCOCG_BC3_BOX_CHROMA, // Y as in FULL, CoCg keep the endpoints of the inset box
};

// Encode 4x4 texels, row-major. `ffmpeg_model` tunes for FFmpeg's integer decoder in place of a
// GPU's. Every field of `out` is decided by integer arithmetic: it is the same on every machine.
void ref_ycocg_bc3_encode_block(const uint8_t rgb[16][3], bool ffmpeg_model,
                                enum ref_ycocg_bc3_effort effort, uint8_t out[16]);
void ref_ycocg_bc3_encode_block_to(const uint8_t rgb[16][3], bool ffmpeg_model,
                                   enum ref_ycocg_bc3_stage stage, uint8_t out[16]);

// Bytes of an encoded image: blocks of 4x4 texels cover it, the last ones may reach over the edge.
size_t ref_ycocg_bc3_size(uint32_t width, uint32_t height);

// Encode an image of any size from 1x1. `stride` is the distance of two rows [bytes]. Texels past
// the right and bottom edge repeat the edge. Blocks are written row by row.
void ref_ycocg_bc3_encode(const uint8_t *rgb, size_t stride, uint32_t width, uint32_t height,
                          bool ffmpeg_model, enum ref_ycocg_bc3_effort effort, uint8_t *out);

// Decode in float64 as a GPU with exact fractions and the HAP shader do: values before the rounding
// and clamping to 8 bit.
void ref_ycocg_bc3_decode_block_exact(const uint8_t block[16], double rgb[16][3]);

// Decode to 8 bit: the values above, rounded and clamped; or as FFmpeg's `hap` decoder does, whose
// integer divisions truncate.
void ref_ycocg_bc3_decode_block(const uint8_t block[16], bool ffmpeg_model, uint8_t rgb[16][3]);
void ref_ycocg_bc3_decode(const uint8_t *blocks, uint32_t width, uint32_t height, bool ffmpeg_model,
                          uint8_t *rgb, size_t stride);

#endif
