// SPDX-License-Identifier: MIT
// How far a mip pyramid may be from the scalar reference, and where it is further.
#pragma once

#include "tests/ref/pyramid.h"

// A channel passes if it is within `steps` codes (ulps) of the reference rounded to the format, or
// within `relative` times its magnitude and `absolute` of the reference before rounding, or within
// `codes` codes of the code before rounding; of floats, `codes` ulps of a 16-bit float that is as
// large as the magnitude.
struct ref_pyramid_bar {
    uint32_t steps;
    double relative, absolute, codes;
};

// The bar of a level `depth` levels after texels that are known: those stored for the level that it
// was made from in one dispatch.
//
// - UNORM and sRGB: 1 code. 16-bit floats and B10G11R11: 1 ulp, which allows for devices that round
//   to zero. Neither grows with the depth, as float32 carries 24 bits.
// - Floats: also 2e-6 a level, relative to the mean of the absolute values that were averaged, as
//   the rounding error of a weighted sum is bounded by a multiple of that (Higham, "Accuracy and
//   Stability of Numerical Algorithms", 4.2). Where the values cancel, the sum itself is no measure
//   of it; their maximum would be none either: it stays where it is while the mean of an impulse
//   falls to a quarter a level.
// - Min and max: the very code, unless the input was converted: 1 step.
// - Blits: filters keep 8 bits of a fraction (VkPhysicalDeviceLimits::subTexelPrecisionBits), so
//   each of two axes can be off by 1/256 of the difference of two texels. That is at most 1 in
//   UNORM and sRGB, and of floats of both signs about twice their magnitude. Coordinates are 32-bit
//   floats: in a side of N texels they add N / 2^24 at most. Rounding to the format comes on top:
//   half a code. They decode and average sRGB as the device's sampler does: an NVIDIA
//   H200 was up to 0.0062 off in linear light at the middle of four texels.
// - sRGB decoded by kernels (`exact_srgb`): half a code, which is rounding, 0.0005 for decoding,
//   encoding and weights of alpha or luma, and 0.00008 a level. Vulkan's pow() is exp2(y log2(x)),
//   with log2() within 3 ulp or 2^-21 and exp2() within 3 + 2 |x| ulp ("Precision and Operation of
//   SPIR-V Instructions"). For the arguments of either function that is 0.00018 codes at most, at
//   white. The six roundings of three weighted taps on two axes are 7e-7 of the light, and of that
//   an error is at most 112 times as many codes; those of weights are half of it again.
// - 16-bit floats averaged by the sampler: 2 ulp of the magnitude. It and stores may round to zero
//   both: an NVIDIA H200 was up to 1.6 off in the second level.
// - sRGB averaged by the sampler (`sampled`): 2 codes. The same was up to 1.4 off, and half of one
//   is rounding.
struct ref_pyramid_bar ref_pyramid_get_bar(const struct ref_pyramid *pyramid, uint32_t depth);

// The first texel that does not pass.
struct ref_pyramid_difference {
    uint32_t level, layer, x, y, channel;
    double expected, actual, magnitude; // before it was rounded to the format; the stored value
    uint32_t steps;                     // between the two as stored, as ordered codes
    double codes; // between the expected code, not rounded, and the stored one; as for the bar
    struct ref_pyramid_bar bar;
};

enum ref_pyramid_verdict {
    REF_PYRAMID_SAME = 0, // within the bars
    REF_PYRAMID_DIFFERENT = 1,
    REF_PYRAMID_NO_MEMORY = 2,
};

// Compare `actual`, all levels in the order of ref_pyramid_offset() with the input in level
// first_level where there is no source, with the reference. Levels outside first_level ..
// last_level are not looked at.
//
// Levels that are read back (`read_back`) are taken from `actual`. So each step is judged by
// itself: a tie that was rounded the other way counts once, and not again in every level made of
// it. `out` may be NULL; it is zeroed where all is well.
//
// NaN in the reference is passed by anything, +0 equals -0, and so do float32 below FLT_MIN, which
// devices may flush. An infinity must be that infinity.
enum ref_pyramid_verdict ref_pyramid_compare(const struct ref_pyramid *pyramid, const void *actual,
                                             struct ref_pyramid_difference *out);

// How far a chain of UNORM or sRGB is from the reference in codes.
struct ref_pyramid_errors {
    double max; // of the distance between a stored code and the one before rounding
    uint64_t num, num_not_nearest; // channels of texels; those that are not the nearest code
};

// Add to `errors` those of all levels that were made; alpha is left out in sRGB. `read_back` as for
// ref_pyramid_compare(): REF_PYRAMID_CONTINUOUS compares with a chain that is never rounded. False
// where there is no memory.
bool ref_pyramid_measure(const struct ref_pyramid *pyramid, const void *actual,
                         struct ref_pyramid_errors *errors);

// One line for a failed test: the chain, the texel, both values and how far they are apart.
void ref_pyramid_describe(const struct ref_pyramid *pyramid,
                          const struct ref_pyramid_difference *difference, char *text,
                          size_t text_size);
