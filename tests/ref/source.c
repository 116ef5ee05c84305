// SPDX-License-Identifier: MIT
// Reference of the conversion from texels to code values.
#include "tests/ref/source.h"

#include <math.h>
#include <string.h>

static double encode(double x) // IEC 61966-2-1
{
    return x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1 / 2.4) - 0.055;
}

static float clip(float value)
{
    return value >= 1 ? 1 : value > 0 ? value : 0; // NaN fails both
}

uint32_t ref_source_codes10(uint32_t code)
{
    return (code * 255 * 1024 + 511) / 1023;
}

uint32_t ref_source_float(float value)
{
    return (uint32_t)floor((double)clip(value) * 255 * 1024);
}

// Sixteen points an octave from 2^-9 on, linear between them in integers; a line below.
uint32_t ref_source_linear(float value)
{
    const float x = clip(value);
    if (x < 0x1p-9f) {
        const uint32_t slope = (uint32_t)lround(12.92 * 255 * 1024 * 0x1p-24 * 65536);
        return ((uint32_t)(x * 0x1p24f) * slope + 32768) >> 16;
    }
    if (x == 1) {
        return 255 * 1024;
    }
    uint32_t bits;
    memcpy(&bits, &x, sizeof(bits));
    const int exponent = (int)(bits >> 23) - 127;
    const uint32_t part = bits >> 19 & 15;
    const uint32_t fraction = bits >> 7 & 0xfff;
    const double octave = ldexp(1, exponent);
    const long low = lround(255 * 1024 * encode(octave * (1 + part / 16.0)));
    const long high = lround(255 * 1024 * encode(octave * (1 + (part + 1) / 16.0)));
    return (uint32_t)(low + (((high - low) * (long)fraction + 2048) >> 12));
}

uint32_t ref_source_dither(uint32_t x, uint32_t y)
{
    // Bayer's recursion: M(2n) = [4M + 0, 4M + 2; 4M + 3, 4M + 1], rows by y.
    static const uint32_t base[2][2] = {{0, 2}, {3, 1}};
    uint32_t rank = 0;
    for (int level = 0; level < 3; level++) {
        rank = 4 * rank + base[y >> level & 1][x >> level & 1];
    }
    return rank * 16 + 8;
}

uint8_t ref_source_round(uint32_t fine, uint32_t threshold)
{
    return (uint8_t)((fine + threshold) >> 10);
}

float ref_half_to_float(uint16_t half)
{
    const int exponent = half >> 10 & 31;
    const int mantissa = half & 1023;
    const float sign = half & 0x8000 ? -1.0f : 1.0f;
    if (exponent == 31) {
        return mantissa ? (float)NAN : sign * (float)INFINITY;
    }
    return sign * (exponent ? ldexpf((float)(1024 + mantissa), exponent - 25)
                            : ldexpf((float)mantissa, -24));
}
