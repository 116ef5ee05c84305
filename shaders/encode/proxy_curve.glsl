// SPDX-License-Identifier: MIT
// The curve of proxies: means of codes along it are as means of light.
//
// ((x + START)^2 - BASE)^2 is curved as sRGB decodes, so nearly that a mean is off by 2.04 codes at
// most (tests/ref/proxy.c). It takes three instructions a number, its inverse two roots, and one
// colour comes back as it was: kernels of encoders are limited by arithmetic (docs/encoders.md).

const float START = 1.6794, BASE = 2.6929;

vec3 curve(vec3 x)
{
    const vec3 y = x + START;
    const vec3 z = y * y - BASE;
    return z * z;
}

vec3 uncurve(vec3 x)
{
    return sqrt(sqrt(x) + BASE) - START;
}
