// SPDX-License-Identifier: MIT
// Scalar reference of shaders/encode/proxy.glsl in float64: a texel of a proxy.
#pragma once

#include <stdint.h>

enum { REF_PROXY_MAX_TEXELS = 16 };

// Get a channel of a texel from those of the `num` that it is the mean of, 4 or 16, as numbers of
// 0 .. 1, before it is rounded to a code.

// The mean as it is: of codes, and of alpha.
double ref_proxy_mean(uint32_t num, const double *values);
// Of light, encoded by the transfer of sRGB.
double ref_proxy_of_light(uint32_t num, const double *values);
// Of codes, decoded by that transfer, and their mean encoded again: what a proxy of light is to be.
double ref_proxy_decoded(uint32_t num, const double *values);
// What kernels compute in its place.
double ref_proxy_curved(uint32_t num, const double *values);

// The most by which these two differ [codes of 8 bits].
#define REF_PROXY_MAX_ERROR 2.04
