// SPDX-License-Identifier: MIT
// Scalar reference of shaders/encode/proxy.glsl in float64: a texel of a proxy.
//
// The mean of f(x) over a block, and then the inverse of f, is the same for f and for a f + b: only
// how f is curved matters. sRGB decodes by ((x + 0.055) / 1.055)^2.4, and by x / 12.92 near black.
// A fourth power whose root is a parabola is curved so nearly like it that two colours in one block
// are off by 2.04 codes at most, and blocks of one colour by nothing. Its two numbers are those of
// the least such maximum, found by a random search over pairs of codes and their shares.
#include "tests/ref/proxy.h"

#include <math.h>

#include "tests/ref/texel.h"

static const double start = 1.6794, base = 2.6929;

double ref_proxy_mean(const double values[16])
{
    double sum = 0;
    for (int i = 0; i < 16; i++) {
        sum += values[i];
    }
    return sum / 16;
}

double ref_proxy_of_light(const double values[16])
{
    return ref_srgb_encode(ref_proxy_mean(values));
}

double ref_proxy_decoded(const double values[16])
{
    double light[16];
    for (int i = 0; i < 16; i++) {
        light[i] = ref_srgb_decode(values[i]);
    }
    return ref_proxy_of_light(light);
}

double ref_proxy_curved(const double values[16])
{
    double curved[16];
    for (int i = 0; i < 16; i++) {
        const double x = values[i] + start;
        const double root = x * x - base;
        curved[i] = root * root;
    }
    return sqrt(sqrt(ref_proxy_mean(curved)) + base) - start;
}
