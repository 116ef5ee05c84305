// SPDX-License-Identifier: MIT
// What kernels and views ask of a format, one that is a source only too.
#ifndef WEIR_PYRAMID_FORMAT_H
#define WEIR_PYRAMID_FORMAT_H

#include <weir/pyramid.h>

bool weir_pyramid_is_depth(VkFormat format);

// Is one channel all that it has?
bool weir_pyramid_has_one_channel(VkFormat format);

// May texels be infinite, or NaN?
bool weir_pyramid_is_float(VkFormat format);

#endif
