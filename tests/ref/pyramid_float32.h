// SPDX-License-Identifier: MIT
// Mip pyramids in float32 as a GPU computes them, to judge the bars of the comparison.
#ifndef WEIR_TESTS_REF_PYRAMID_FLOAT32_H
#define WEIR_TESTS_REF_PYRAMID_FLOAT32_H

#include "tests/ref/pyramid.h"

// As ref_pyramid_chain(), for whole chains without a source. All taps of a texel are summed up in
// one go; blits have weights of 8 bits. `to_zero`: floats are stored by truncation, as the Vulkan
// specification allows. False where there is no memory.
bool ref_pyramid_float32_chain(const struct ref_pyramid *pyramid, bool to_zero, void *levels);

#endif
