// SPDX-License-Identifier: MIT
// Scalar reference of texel formats: packing, unpacking and distances by the Vulkan definitions.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <vulkan/vulkan_core.h>

enum ref_texel_kind {
    REF_TEXEL_UNORM,
    REF_TEXEL_SRGB,  // IEC 61966-2-1 in colour, UNORM in alpha
    REF_TEXEL_FLOAT, // 32 and 16 bits with a sign, 11 and 10 bits without
};

// A format, and the places of its channels in a texel. No channel crosses a 32-bit word. The host
// is little-endian, so byte formats and packed words are read alike.
struct ref_texel_format {
    VkFormat format;
    const char *name;      // "rgba8_srgb"
    uint32_t texel_size;   // [bytes]
    uint32_t num_channels; // R, RG, RGB or RGBA
    enum ref_texel_kind kind;
    uint8_t shift[4], bits[4]; // of R, G, B, A from the lowest bit of the texel
};

// The formats of mip pyramids, and D16_UNORM, D32_SFLOAT and D32_SFLOAT_S8_UINT that are read into
// them, without the stencil.
const struct ref_texel_format *ref_texel_formats(size_t *num_formats);
// NULL where the table has none.
const struct ref_texel_format *ref_texel_get_format(VkFormat format);
bool ref_texel_is_depth(VkFormat format);

// Code values of a channel of `bits` bits.
// UNORM: clamped, rounded to nearest; NaN is 0.
// Float: rounded to nearest even. NaN is a quiet NaN of positive sign. Signed: overflow is
// infinity, as IEEE 754 says. Unsigned: what is below 0 is 0, and finite overflow is the largest
// finite value (65024 with 11 bits, 64512 with 10), as the Vulkan specification says, "Unsigned
// 11-Bit Floating-Point Numbers".
uint32_t ref_unorm_pack(double value, uint32_t bits);
double ref_unorm_unpack(uint32_t code, uint32_t bits);
uint32_t ref_float_pack(double value, uint32_t bits);
double ref_float_unpack(uint32_t code, uint32_t bits);
double ref_srgb_encode(double linear); // not clamped
double ref_srgb_decode(double encoded);

// The code of a channel of UNORM or sRGB before it is rounded to a whole number. Not clamped.
double ref_texel_real_code(const struct ref_texel_format *format, double value, uint32_t channel);

// `num_texels` texels of the format, to and from R, G, B, A. What a format lacks reads as 0, alpha
// as 1.
void ref_texel_pack(const struct ref_texel_format *format, const double (*texels)[4],
                    size_t num_texels, void *packed);
void ref_texel_unpack(const struct ref_texel_format *format, const void *packed, size_t num_texels,
                      double (*texels)[4]);

// The code of one channel as an integer that grows with the value by one from each representable
// value to the next; +0 and -0 are both 0.
int64_t ref_texel_order(const struct ref_texel_format *format, const void *packed,
                        uint32_t channel);

// How far two texels are apart: the largest difference over the channels of their ordered codes
// (codes of UNORM and sRGB, ulps of floats). NaN equals NaN and is UINT32_MAX from everything else.
uint32_t ref_texel_distance(const struct ref_texel_format *format, const void *a, const void *b);
