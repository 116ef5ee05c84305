// SPDX-License-Identifier: MIT
// The kernels of encoders, compiled for the processor: what a device must compute, and what tests
// look at without one.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <weir/encode.h>

enum { KERNEL_MAX_BLOCK_SIZE = 16 };

// By what they cost: fast, default, high, exhaustive.
extern const enum weir_effort kernel_efforts[4];

// Those of unsigned textures of 8 bits.
enum { KERNEL_NUM_CODECS = 13 };
extern const enum weir_codec kernel_codecs[KERNEL_NUM_CODECS];

// Encode a block of 4x4 RGBA texels, row-major, as the kernel of an encoder with these params does;
// `like` is not read. Texels are codes of 8 bits, of a signed codec as R8G8B8A8_SNORM has them. A
// codec without the effort live has fast in its place. With `steady` there was no frame before.
void kernel_encode(const struct weir_encoder_params *params, const uint8_t texels[16][4],
                   uint8_t *out);

// The same without alpha.
void kernel_encode_rgb(const struct weir_encoder_params *params, const uint8_t rgb[16][3],
                       uint8_t *out);

// The same where `block` is that of the frame before, or zeros, and becomes that of this one.
void kernel_encode_steady(const struct weir_encoder_params *params, const uint8_t texels[16][4],
                          uint8_t *block);

// Encode an image of RGBA texels like this: `blocks` are those of the frame before.
void kernel_encode_steady_image(const struct weir_encoder_params *params, const uint8_t *texels,
                                uint32_t width, uint32_t height, uint8_t *blocks);

// Encode an image of texels as a kernel fetches them from a source of this kind: WEIR_SOURCE_* of
// shaders/color/constants.h.
void kernel_encode_source(const struct weir_encoder_params *params, uint32_t source_kind,
                          const float (*texels)[4], uint32_t width, uint32_t height, uint8_t *out);

// Encode an image of any size, whose texels have 3 or 4 channels and whose rows begin `stride`
// bytes apart. Texels past the right and the lower edge repeat those at the edge.
void kernel_encode_image(const struct weir_encoder_params *params, const uint8_t *texels,
                         uint32_t num_channels, size_t stride, uint32_t width, uint32_t height,
                         uint8_t *out);
