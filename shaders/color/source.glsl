// SPDX-License-Identifier: MIT
// Converts the texels of a host's image to 8-bit code values: of display-referred colour or of
// data.
//
// Every step is exact or integer, so that each device gets the same codes: tests/ref/source.c.
// The includer declares SOURCE_KIND and DITHER.

#include "color/constants.h"

const bool SOURCE_IS_SIGNED = SOURCE_KIND == WEIR_SOURCE_SNORM8 ||
                              SOURCE_KIND == WEIR_SOURCE_SIGNED_FLOAT;

const uint ONE_BITS = 0x3f800000u;
const uint INFINITY_BITS = 0x7f800000u;

// Clip to 0 .. 1; NaN and negative values become 0. It compares bits, because the result of a
// float's comparison with NaN is a driver's choice.
float clip(float x)
{
    uint bits = floatBitsToUint(x);
    return bits > INFINITY_BITS ? 0.0 : bits > ONE_BITS ? 1.0 : x;
}

// Encode linear light 0 .. 1 (IEC 61966-2-1) in 1/1024 of a code, at most 0.002 codes off:
// m^(1/2.4) by a polynomial on 1 <= m < 2, times 2^(-e/2.4) by the bits of e. `precise` forbids
// contraction, so that every device rounds alike.
uint srgb_encode(float x)
{
    const float scale = 1.055 * 255.0 * 1024.0;
    if (x <= 0.0031308) {
        precise float line = x * (12.92 * 255.0 * 1024.0) + 0.5;
        return uint(line);
    }
    const uint bits = floatBitsToUint(x);
    const uint e = 127u - (bits >> 23); // 0 .. 9
    precise float t = uintBitsToFloat((bits & 0x7fffffu) | ONE_BITS) - 1.5;
    precise float power = 0.00514348829;
    power = power * t - 0.0106514301;
    power = power * t + 0.0224526934;
    power = power * t - 0.0638610572;
    power = power * t + 0.32890445;
    power = power * t + 1.18405235;
    power *= (e & 1u) != 0u ? 0.749153554 : 1.0;
    power *= (e & 2u) != 0u ? 0.561231017 : 1.0;
    power *= (e & 4u) != 0u ? 0.314980268 : 1.0;
    power *= (e & 8u) != 0u ? 0.0992125645 : 1.0;
    precise float fine = power * scale - (0.055 * 255.0 * 1024.0 - 0.5);
    return min(uint(fine), 261120u);
}

// Get one channel of a signed source in 1/1024 of a code, moved up by 127 codes.
uint signed_fine(float x)
{
    if (SOURCE_KIND == WEIR_SOURCE_SNORM8) {
        return uint(x * 127.0 + 127.5) << 10;
    }
    const uint bits = floatBitsToUint(x);
    const uint magnitude = uint(clip(uintBitsToFloat(bits & 0x7fffffffu)) * 130048.0);
    return bits >> 31 != 0u ? 130048u - magnitude : 130048u + magnitude;
}

// Get one channel in 1/1024 of a code.
uint channel_fine(float x)
{
    if (SOURCE_IS_SIGNED) {
        return signed_fine(x);
    }
    if (SOURCE_KIND == WEIR_SOURCE_CODES8) {
        return uint(x * 255.0 + 0.5) << 10;
    }
    if (SOURCE_KIND == WEIR_SOURCE_DECODED) {
        return srgb_encode(clip(x)) + 512u & ~1023u; // rounded to the code before it was decoded
    }
    if (SOURCE_KIND == WEIR_SOURCE_CODES16) {
        return (uint(x * 65535.0 + 0.5) * 1024u + 128u) / 257u;
    }
    if (SOURCE_KIND == WEIR_SOURCE_CODES10) {
        return (uint(x * 1023.0 + 0.5) * 261120u + 511u) / 1023u;
    }
    if (SOURCE_KIND == WEIR_SOURCE_FLOAT) {
        return uint(clip(x) * 261120.0);
    }
    if (SOURCE_KIND == WEIR_SOURCE_LINEAR8 || SOURCE_KIND == WEIR_SOURCE_LINEAR10 ||
        SOURCE_KIND == WEIR_SOURCE_LINEAR16) {
        // The fetch may be off by some units in the last place, so round to the integer first.
        const bool is_8 = SOURCE_KIND == WEIR_SOURCE_LINEAR8;
        const bool is_10 = SOURCE_KIND == WEIR_SOURCE_LINEAR10;
        const float steps = float(uint(x * (is_8 ? 255.0 : is_10 ? 1023.0 : 65535.0) + 0.5));
        precise float value = steps * (is_8 ? 1.0 / 255.0 : is_10 ? 1.0 / 1023.0 : 1.0 / 65535.0);
        return srgb_encode(value);
    }
    return srgb_encode(clip(x));
}

// Get the threshold of an 8x8 ordered dither at a texel in 1/1024, 8 .. 1016 (Bayer 1973).
uint dither_threshold(uvec2 position)
{
    uint y = position.y;
    uint d = position.x ^ y;
    uint rank = (d & 1u) << 5 | (y & 1u) << 4 | (d & 2u) << 2 | (y & 2u) << 1 | (d & 4u) >> 1 |
                (y & 4u) >> 2;
    return rank * 16u + 8u;
}

// Get the codes of R, G and B, as floats without a fraction.
vec3 source_codes(vec3 texel, uvec2 position)
{
    if (SOURCE_KIND == WEIR_SOURCE_CODES8) {
        // texel * 255 is within 2^-14 of a code. Adding `large` rounds it to that code.
        const float large = 12582912.0; // 1.5 * 2^23
        precise vec3 sum = fma(texel, vec3(255.0), vec3(large));
        precise vec3 codes = sum - large;
        return codes;
    }
    uint threshold = SOURCE_KIND != WEIR_SOURCE_DECODED && DITHER ? dither_threshold(position)
                                                                  : 512u;
    uvec3 fine = uvec3(channel_fine(texel.r), channel_fine(texel.g), channel_fine(texel.b));
    return vec3((fine + threshold) >> 10);
}

// Get alpha as a code of 8 bits. It has no curve, and is not dithered.
uint source_alpha(float a)
{
    switch (SOURCE_KIND) {
    case WEIR_SOURCE_CODES10:
    case WEIR_SOURCE_LINEAR10:
        return 85u * uint(a * 3.0 + 0.5); // alpha has two bits
    case WEIR_SOURCE_CODES16:
    case WEIR_SOURCE_LINEAR16:
        return (uint(a * 65535.0 + 0.5) + 128u) / 257u;
    case WEIR_SOURCE_FLOAT:
    case WEIR_SOURCE_LINEAR: {
        precise float scaled = clip(a) * 255.0;
        precise float rounded = scaled + 0.5;
        return uint(rounded);
    }
    }
    return uint(a * 255.0 + 0.5);
}
