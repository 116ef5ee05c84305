// SPDX-License-Identifier: MIT
// Scalar reference of shaders/encode/halves.glsl: from texels to half floats as integers.
#include "tests/ref/halves.h"

#include <stdint.h>
#include <string.h>

// `value` >> `shift`, rounded to nearest, ties to even; shift 1 .. 31.
static uint32_t shift_round(uint32_t value, uint32_t shift)
{
    return (value + (1u << (shift - 1)) - 1 + (value >> shift & 1)) >> shift;
}

int ref_half_of(float value, bool is_signed)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    const uint32_t magnitude = bits & 0x7fffffff;
    const bool is_negative = bits >> 31;
    if (magnitude > 0x7f800000 || (is_negative && !is_signed)) {
        return 0;
    }
    const uint32_t exponent = magnitude >> 23;
    uint32_t half;
    if (exponent >= 143) { // 2^16 and more
        half = REF_HALF_MAX;
    } else if (exponent >= 113) { // 2^-14 and more: normal halves
        half = shift_round(magnitude - (112u << 23), 13);
    } else if (exponent >= 102) { // 2^-25 and more
        half = shift_round((magnitude & 0x7fffff) | 0x800000, 126 - exponent);
    } else {
        half = 0;
    }
    half = half > REF_HALF_MAX ? REF_HALF_MAX : half;
    return is_negative ? -(int)half : (int)half;
}
