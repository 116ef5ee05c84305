// SPDX-License-Identifier: MIT
// Scalar reference of mip pyramids in float64: what every method of weir/pyramid.h must compute.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <vulkan/vulkan_core.h>

#include <weir/pyramid.h>

// Values that a level can hold:
// - Infinities pass: a weighted mean of finite values and +inf is +inf, of +inf and -inf NaN.
// - NaN stands for "not defined". It comes from a NaN under the texel in every reduction (min and
//   max of NaN differ between devices), from inf - inf, in LUMA_MEAN from an infinite luma.
// - ALPHA_MEAN weighs colour by alpha + 2^-84: where all alpha is 0 it is the plain mean. Alpha
//   below 0 counts as 0; infinities and NaN under alpha 0 count as colour 0. Formats without alpha
//   have 1.
// - MIN_MAX defines R and G only.
// - A mean never leaves the range of its texels by more than float64 rounds.

// The texels of an axis of `size` texels that lie under texel `i` of the next level, and their
// weights, which add up to 1: the exact share of each in [i S/n, (i+1) S/n]. Or, for `blit`, the
// two taps of a linear filter at (i + 0.5) S/n. A tap of weight 0 is none.
struct ref_pyramid_taps {
    uint32_t first, num;
    double weights[3];
};
struct ref_pyramid_taps ref_pyramid_get_taps(uint32_t size, uint32_t i, bool blit);

// max(1, size >> levels).
uint32_t ref_pyramid_level_size(uint32_t size, uint32_t levels);

// MIN, MAX and MIN_MAX: a texel of the input, and no rounding.
bool ref_pyramid_is_extremum(enum weir_pyramid_reduction reduction);

// One level to the next: `texels` has width * height, `out` max(1, width/2) * max(1, height/2).
// MIN_MAX reads R and G. LUMA_MEAN is its first step; the later ones are MEAN. CUSTOM is none.
// False where there is no memory.
bool ref_pyramid_reduce(enum weir_pyramid_reduction reduction, bool blit, const double (*texels)[4],
                        uint32_t width, uint32_t height, double (*out)[4]);

// Bit k of ref_pyramid.read_back: level k is made from the texels that were stored for level k - 1,
// not from what they were before they were rounded.
#define REF_PYRAMID_CONTINUOUS 0u   // one dispatch makes all
#define REF_PYRAMID_QUANTISED (~0u) // a dispatch makes one level

// A chain: zero means the default of weir_pyramid_target_params.
struct ref_pyramid {
    VkFormat format; // one of ref_texel_formats()
    enum weir_pyramid_reduction reduction;
    uint32_t width, height; // of level 0 [texels]
    uint32_t layers, levels;
    uint32_t first_level, last_level; // the part to make
    uint32_t read_back;               // the first level that is made from the input reads it anyway
    bool blit;                        // taps of vkCmdBlitImage
    bool sampled;                     // sRGB and half floats are averaged by the device's sampler
    bool exact_srgb;                  // sRGB is decoded by kernels

    // Another image as the input, packed layer by layer in source_format. As large as first_level,
    // which becomes a copy of it (a reduction with one tap), or the level above.
    const void *source;
    VkFormat source_format;
    uint32_t source_width, source_height; // 0 = those of first_level
};

// With the defaults filled in.
struct ref_pyramid ref_pyramid_resolve(const struct ref_pyramid *pyramid);

// Levels lie in memory one after the other, each layer by layer without padding, each at a multiple
// of 16 bytes, so that one VkBufferImageCopy a level moves them.
size_t ref_pyramid_offset(const struct ref_pyramid *pyramid, uint32_t level); // [bytes]
size_t ref_pyramid_size(const struct ref_pyramid *pyramid); // of all levels [bytes]

// One level of one layer, before it is rounded to the format. `depth` counts the levels since
// stored texels were read. `magnitudes` are what the texels could have been, had their inputs not
// cancelled each other: the mean of absolute values, for min and max and formats without a sign the
// value itself.
struct ref_pyramid_level {
    uint32_t level, layer, width, height;
    uint32_t depth;
    const double (*texels)[4];
    const double (*magnitudes)[4];
};
typedef bool ref_pyramid_visitor(const struct ref_pyramid_level *level, void *user);

// Compute the levels in the order of layers, then levels. Stored texels are read from `levels`,
// which the visitor may fill. `with_magnitudes`: else they are NULL.
// False where there is no memory or the visitor says so.
bool ref_pyramid_visit(const struct ref_pyramid *pyramid, const void *levels, bool with_magnitudes,
                       ref_pyramid_visitor *visitor, void *user);

// Compute the chain into `levels`, ref_pyramid_size() bytes, whose level first_level is the input
// where there is no source. False where there is no memory.
bool ref_pyramid_chain(const struct ref_pyramid *pyramid, void *levels);
