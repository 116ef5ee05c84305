// SPDX-License-Identifier: MIT
// Checks the params of a pyramid against its device.
#ifndef WEIR_PYRAMID_CHECK_H
#define WEIR_PYRAMID_CHECK_H

#include "pyramid/pyramid.h"

// Check the parameters of a pyramid that is being made, and resolve AUTO in them. Errors are
// logged.
enum weir_result weir_pyramid_check(weir_pyramid *pyramid);

// Get the features of a format for images with optimal tiling.
VkFormatFeatureFlags weir_pyramid_format_features(const weir_context *context, VkFormat format);

#endif
