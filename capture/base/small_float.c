// SPDX-License-Identifier: MIT
// Floats of 16, 11 and 10 bits.
#include "capture/base/small_float.h"

#include <math.h>

enum { SMALL_BIAS = 15, SMALL_LEAST = 1 - SMALL_BIAS, SMALL_SPECIAL = 31 };

uint32_t weir_small_float_from(float value, int mantissa)
{
    const uint32_t infinity = (uint32_t)SMALL_SPECIAL << mantissa;
    if (isnan(value)) {
        return infinity | 1u << (mantissa - 1);
    }
    if (!(value > 0)) {
        return 0;
    }
    if (isinf(value)) {
        return infinity;
    }
    int exponent = ilogbf(value);
    if (exponent > SMALL_BIAS) {
        return infinity - 1;
    }
    exponent = exponent < SMALL_LEAST ? SMALL_LEAST : exponent;
    // The leading one of the mantissa carries into the exponent, and so does a mantissa rounded up.
    uint32_t bits = (uint32_t)lrint(ldexp((double)value, mantissa - exponent)) +
                    ((uint32_t)(exponent - SMALL_LEAST) << mantissa);
    return bits < infinity ? bits : infinity - 1;
}

float weir_small_float_value(uint32_t bits, int mantissa)
{
    const uint32_t fraction = bits & ((1u << mantissa) - 1);
    const int exponent = (int)(bits >> mantissa);
    if (exponent == SMALL_SPECIAL) {
        return fraction != 0 ? NAN : INFINITY;
    }
    const uint32_t one = exponent > 0 ? 1u << mantissa : 0;
    const int scale = (exponent > 0 ? exponent - SMALL_BIAS : SMALL_LEAST) - mantissa;
    return ldexpf((float)(one + fraction), scale);
}

uint16_t weir_half_from(float value)
{
    return (uint16_t)((signbit(value) ? 0x8000u : 0) | weir_small_float_from(fabsf(value), 10));
}

float weir_half_value(uint16_t bits)
{
    const float value = weir_small_float_value(bits & 0x7fffu, 10);
    return (bits & 0x8000u) != 0 ? -value : value;
}
