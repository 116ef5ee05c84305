// SPDX-License-Identifier: MIT
// Scalar reference of shaders/color/source.glsl: from texels to 8-bit code values.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// Channel values as a texel fetch gives them, in 1/1024 of an 8-bit code.
uint32_t ref_source_codes10(uint32_t code); // 0 .. 1023
uint32_t ref_source_codes16(uint32_t code); // 0 .. 65535
uint32_t ref_source_float(float value);     // 1.0 is code 255; clipped, NaN is 0
uint32_t ref_source_linear(float value);    // linear light, sRGB-encoded; clipped, NaN is 0

// Signed values in 1/1024 of a code of -127 .. 127, moved up by 127 codes; clipped to -1 .. 1, NaN
// is 0.
uint32_t ref_source_signed_float(float value);

// The dither threshold at a texel in 1/1024, from an 8x8 Bayer matrix; 512 rounds to nearest.
uint32_t ref_source_dither(uint32_t x, uint32_t y);

// A colour in 1/1024 of a code, dithered for BC1: to a step of a third of a code of 5:6:5 bits.
void ref_source_dither_bc1(const uint32_t fine[3], uint32_t threshold, uint8_t rgb[3]);

// fine + threshold, truncated to a code.
uint8_t ref_source_round(uint32_t fine, uint32_t threshold);

// The nearest value of 0 .. 2047, or -1023 .. 1023 of a signed source.
uint16_t ref_source_round11(uint32_t fine);
int16_t ref_source_round11_signed(uint32_t fine);

// Alpha of a float texel as an 8-bit code: clipped, rounded, NaN is 0.
uint8_t ref_source_alpha(float value);

// IEEE 754 binary16 to a float.
float ref_half_to_float(uint16_t half);

// The largest finite half float, 65504, as an integer.
enum { REF_HALF_MAX = 0x7bff };

// The half float nearest to a value, ties to even, as an integer that grows by one from each half
// to the next: its magnitude's bits, negative where it is. Beyond 65504 is 65504, NaN is 0; below 0
// is 0 unless signed.
int ref_half_of(float value, bool is_signed);
