// SPDX-License-Identifier: MIT
// Scalar reference of shaders/encode/proxy.glsl in float64: a texel of a proxy.
//
// The mean of f(x) over texels, and then the inverse of f, is the same for f and for a f + b: only
// how f is curved matters. sRGB decodes by ((x + 0.055) / 1.055)^2.4, and by x / 12.92 near black.
// A fourth power whose root is a parabola is curved so nearly like it that two colours in any
// shares are off by 2.04 codes at most, and one colour by nothing. Its two numbers are those of
// the least such maximum, found by a random search over pairs of codes and their shares.
#include "tests/ref/proxy.h"

#include <math.h>

#include "tests/ref/texel.h"

static const double start = 1.6794, base = 2.6929;

double ref_proxy_mean(uint32_t num, const double *values)
{
    double sum = 0;
    for (uint32_t i = 0; i < num; i++) {
        sum += values[i];
    }
    return sum / num;
}

double ref_proxy_of_light(uint32_t num, const double *values)
{
    return ref_srgb_encode(ref_proxy_mean(num, values));
}

double ref_proxy_decoded(uint32_t num, const double *values)
{
    double light[REF_PROXY_MAX_TEXELS];
    for (uint32_t i = 0; i < num; i++) {
        light[i] = ref_srgb_decode(values[i]);
    }
    return ref_proxy_of_light(num, light);
}

double ref_proxy_curved(uint32_t num, const double *values)
{
    double curved[REF_PROXY_MAX_TEXELS];
    for (uint32_t i = 0; i < num; i++) {
        const double x = values[i] + start;
        const double root = x * x - base;
        curved[i] = root * root;
    }
    return sqrt(sqrt(ref_proxy_mean(num, curved)) + base) - start;
}
