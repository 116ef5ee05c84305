// SPDX-License-Identifier: MIT
// Reference of the conversion from texels to code values.
#include "tests/ref/source.h"

#include <math.h>

#include "tests/ref/texel.h"

static float clip(float value)
{
    return value >= 1 ? 1 : value > 0 ? value : 0; // NaN fails both
}

uint32_t ref_source_codes10(uint32_t code)
{
    return (code * 255 * 1024 + 511) / 1023;
}

uint32_t ref_source_codes16(uint32_t code)
{
    return (code * 1024 + 128) / 257;
}

uint32_t ref_source_signed_float(float value)
{
    const uint32_t magnitude = (uint32_t)floor((double)clip(fabsf(value)) * 127 * 1024);
    return signbit(value) ? 127 * 1024 - magnitude : 127 * 1024 + magnitude;
}

uint32_t ref_source_float(float value)
{
    return (uint32_t)floor((double)clip(value) * 255 * 1024);
}

// m^(1/2.4) by a polynomial on 1 <= m < 2, fitted at Chebyshev nodes, times 2^(-e/2.4); a line
// below. In binary32, a rounding an operation, as the kernel computes it.
uint32_t ref_source_linear(float value)
{
    const float x = clip(value);
    if (x <= 0.0031308f) {
        return (uint32_t)(x * (float)(12.92 * 255 * 1024) + 0.5f);
    }
    static const float coefficients[] = {0.00514348829f, -0.0106514301f, 0.0224526934f,
                                         -0.0638610572f, 0.32890445f,    1.18405235f};
    static const float octaves[] = {0.749153554f, 0.561231017f, 0.314980268f, 0.0992125645f};
    int exponent;
    const float t = 2 * frexpf(x, &exponent) - 1.5f;
    float power = coefficients[0];
    for (int i = 1; i < 6; i++) {
        const float product = power * t;
        power = product + coefficients[i];
    }
    for (int i = 0; i < 4; i++) {
        power *= (1 - exponent) >> i & 1 ? octaves[i] : 1;
    }
    const float product = power * (float)(1.055 * 255 * 1024);
    const uint32_t fine = (uint32_t)(product - (float)(0.055 * 255 * 1024 - 0.5));
    return fine > 261120 ? 261120 : fine;
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

void ref_source_dither_bc1(const uint32_t fine[3], uint32_t threshold, uint8_t rgb[3])
{
    static const uint32_t max_codes[3] = {31, 63, 31};
    for (int c = 0; c < 3; c++) {
        const uint32_t steps = 3 * max_codes[c];
        const uint32_t step = (fine[c] * steps + 255 * threshold) / (255 * 1024);
        rgb[c] = (uint8_t)((255 * step + steps / 2) / steps);
    }
}

uint8_t ref_source_alpha(float value)
{
    const float scaled = clip(value) * 255;
    const float rounded = scaled + 0.5f;
    return (uint8_t)rounded;
}

uint8_t ref_source_round(uint32_t fine, uint32_t threshold)
{
    return (uint8_t)((fine + threshold) >> 10);
}

uint16_t ref_source_round11(uint32_t fine)
{
    const uint32_t one = 255 * 1024;
    return (uint16_t)((fine * 2047 + one / 2) / one);
}

int16_t ref_source_round11_signed(uint32_t fine)
{
    const uint32_t two = 2 * 127 * 1024;
    return (int16_t)((int)((fine * 2046 + two / 2) / two) - 1023);
}

float ref_half_to_float(uint16_t half)
{
    return (float)ref_float_unpack(half, 16);
}

int ref_half_of(float value, bool is_signed)
{
    const int code = isnan(value) ? 0 : (int)ref_float_pack(fabs((double)value), 16);
    const int half = code < REF_HALF_MAX ? code : REF_HALF_MAX;
    return value >= 0 ? half : is_signed ? -half : 0;
}
