// SPDX-License-Identifier: MIT
// Texels of a pyramid's formats in host memory, from and to rows of RGBA floats, and the meaning of
// the values in such rows.
#ifndef WEIR_CAPTURE_FILES_PICTURE_TEXEL_H
#define WEIR_CAPTURE_FILES_PICTURE_TEXEL_H

#include <stdint.h>

#include <weir/pyramid.h>

// Round 0 .. 1 to the nearest of 0 .. max. Values outside are clamped, NaN is 0.
uint32_t weir_texel_unorm(float value, uint32_t max);

// Pack a row. The floats are the values that the format stores: 0 .. 1 for UNORM and SRGB (for SRGB
// the code, not decoded), any value for SFLOAT. Values outside the format's range are clamped,
// others rounded to the nearest. NaN in UNORM is 0.
void weir_texel_pack(const struct weir_pyramid_format_info *format, const float *row,
                     uint32_t width, uint8_t *texels);

// Unpack a row. A channel that the format lacks becomes 0, a missing alpha 1.
void weir_texel_unpack(const struct weir_pyramid_format_info *format, const uint8_t *texels,
                       uint32_t width, float *row);

enum weir_values {
    WEIR_VALUES_SRGB,   // display codes by the sRGB curve
    WEIR_VALUES_LINEAR, // linear light
    WEIR_VALUES_DATA,   // not colours (normals, heights): never converted
};

// Convert R, G and B of an RGBA row; alpha stays unchanged. The row stays unchanged if `from`
// equals `to` or one of them is DATA. Encoding to sRGB clamps to 0 .. 1 and turns NaN into 0.
void weir_values_convert(float *row, uint32_t width, enum weir_values from, enum weir_values to);

#endif
