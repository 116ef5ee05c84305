// SPDX-License-Identifier: MIT
// Images that mip pyramids are tested with: seeded, in any format.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <vulkan/vulkan_core.h>

#include <weir/pyramid.h>

enum ref_pyramid_content {
    REF_CONTENT_RANDOM = 0,       // any finite code; 32-bit floats of 2^-30 .. 2^30
    REF_CONTENT_SMOOTH = 1,       // a few waves
    REF_CONTENT_CHECKERBOARD = 2, // of single texels, high and low
    REF_CONTENT_CENTRE_LINES = 3, // the middle row and column: what two taps at odd sizes lose
    REF_CONTENT_STEPS = 4,        // steps at 63, 64, 65 and every 64 texels on
    REF_CONTENT_IMPULSE = 5,      // one texel
    REF_CONTENT_CONSTANT = 6,     // one code a channel
    REF_CONTENT_EXTREMES = 7,     // 65504, 1e30, denormals, -0, the lowest and highest codes
    REF_CONTENT_ALPHA = 8,        // areas of alpha 0, tiny, 1 and any, bright where alpha is 0
    REF_CONTENT_INFINITIES = 9,   // RANDOM, an infinity in one of 64 values
    REF_CONTENT_NANS = 10,        // RANDOM, a NaN in one of 64 values
};
enum { REF_NUM_CONTENTS = 11 };

const char *ref_pyramid_content_name(enum ref_pyramid_content content);

// False where it would be another content again: infinities and NaN in formats without.
bool ref_pyramid_content_exists(enum ref_pyramid_content content, VkFormat format);

// Fill `packed`: `layers` layers of width x height texels without padding, each drawn anew from
// `seed`.
//
// Shaped for the reduction, so that what it computes is well-conditioned: alpha in 0 .. 1 for
// ALPHA_MEAN in float formats, no negative values for LUMA_MEAN (a luma near -1 or one that cancels
// makes any weight). Depth formats hold 0 .. 1.
void ref_pyramid_content_fill(enum ref_pyramid_content content, VkFormat format,
                              enum weir_pyramid_reduction reduction, uint32_t width,
                              uint32_t height, uint32_t layers, uint64_t seed, void *packed);
