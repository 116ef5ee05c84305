// SPDX-License-Identifier: MIT
// Facts of formats for kernels and views, also of formats that only a source may have.
#ifndef WEIR_PYRAMID_FORMAT_H
#define WEIR_PYRAMID_FORMAT_H

#include <weir/pyramid.h>

bool weir_pyramid_is_depth(VkFormat format);

// Get the format of the input: the sources', or else the levels'.
VkFormat weir_pyramid_input_format(const struct weir_pyramid_params *params);

// True if the format has one channel.
bool weir_pyramid_has_one_channel(VkFormat format);

// True if kernels of a pyramid with these params read codes of the format, and decode sRGB.
bool weir_pyramid_decodes(const struct weir_pyramid_params *params, VkFormat format);

// True if texels may be infinite or NaN.
bool weir_pyramid_is_float(VkFormat format);

#endif
