// SPDX-License-Identifier: MIT
// Decoders of scaled YCoCg in BC3 (HapY), to judge its encoder.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A block of 16 bytes:
//   [0..7]   BC4 of Y
//   [8..15]  BC1 colour block, always four colours: red 5 bit = Co, green 6 bit = Cg, blue 5 bit =
//            scale - 1 in both endpoints, scale 1, 2 or 4
// with Y = (R + 2G + B) / 4, Co = (R - B) / 2, Cg = (2G - R - B) / 4 of the 8-bit code values,
// stored as Y, 128 + scale * Co, 128 + scale * Cg.

// Decode in float64 as a GPU with exact fractions and the HAP shader do: values before the rounding
// and clamping to 8 bit.
void ref_ycocg_bc3_decode_block_exact(const uint8_t block[16], double rgb[16][3]);

// Decode to 8 bit: the values above, rounded and clamped; or as FFmpeg's `hap` decoder does, whose
// integer divisions truncate.
void ref_ycocg_bc3_decode_block(const uint8_t block[16], bool ffmpeg_model, uint8_t rgb[16][3]);
void ref_ycocg_bc3_decode(const uint8_t *blocks, uint32_t width, uint32_t height, bool ffmpeg_model,
                          uint8_t *rgb, size_t stride);
