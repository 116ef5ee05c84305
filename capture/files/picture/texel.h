// SPDX-License-Identifier: MIT
// Texels of a pyramid's formats in host memory, from and to rows of RGBA floats.
#ifndef WEIR_CAPTURE_FILES_PICTURE_TEXEL_H
#define WEIR_CAPTURE_FILES_PICTURE_TEXEL_H

#include <stdint.h>

#include <weir/pyramid.h>

// The floats are the numbers that the format stores: UNORM and SRGB 0 .. 1 (SRGB: the code, not
// decoded), SFLOAT as they are. What a format has no room for is clamped or rounded to the nearest;
// NaN in UNORM is 0.
void weir_texel_pack(const struct weir_pyramid_format_info *format, const float *row,
                     uint32_t width, uint8_t *texels);

// Channels that the format does not have become 0, alpha 1.
void weir_texel_unpack(const struct weir_pyramid_format_info *format, const uint8_t *texels,
                       uint32_t width, float *row);

#endif
