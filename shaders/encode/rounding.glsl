// SPDX-License-Identifier: MIT
// Floats that every device rounds alike: to integers, and where they are divided.
//
// Requires GL_EXT_control_flow_attributes.
#ifndef WEIR_ENCODE_ROUNDING
#define WEIR_ENCODE_ROUNDING

// Rounding by an addition: conversions and floor() have an eighth of its rate on NVIDIA hardware.
// It assumes that additions round to nearest, as they do on every known driver (Vulkan also allows
// rounding to zero). What lies between two such roundings is `precise` too, else a driver (NVIDIA
// 580.159) may move their constants through it; the test unit_precise looks at BC6H and BC7.

// A sum with this number has no bits for a fraction, and an integer in its lowest bits.
const float LARGE = 12582912.0; // 1.5 * 2^23
const uint LARGE_BITS = 0x4b400000u;

// Get the integer nearest to x, which has |x| < 2^22 and is not halfway between two.
float nearest(float x)
{
    precise float sum = x + LARGE;
    precise float integer = sum - LARGE;
    return integer;
}

vec2 nearest(vec2 x)
{
    precise vec2 sum = x + LARGE;
    precise vec2 integers = sum - LARGE;
    return integers;
}

vec3 nearest(vec3 x)
{
    precise vec3 sum = x + LARGE;
    precise vec3 integers = sum - LARGE;
    return integers;
}

// Convert whole floats below 2^22.
ivec3 integers_of(vec3 x)
{
    precise vec3 sum = x + LARGE;
    return floatBitsToInt(sum) - int(LARGE_BITS);
}

// Get 1 / x nearly, for x of 1/16 to 2^90, in roundings that every device has. Divisions differ.
float reciprocal(float x)
{
    precise float y = uintBitsToFloat(0x7ef311c3u - floatBitsToUint(x));
    [[unroll]] for (int i = 0; i < 3; i++) {
        precise float product = x * y;
        precise float rest = 2.0 - product;
        y = y * rest;
    }
    return y;
}

// Get 2^-e where x is 2^e to 2^(e + 1).
float power_below(float x)
{
    return uintBitsToFloat((254u << 23) - (floatBitsToUint(x) & 0x7f800000u));
}

// 1 / n
const float INVERSES[17] = float[](0.0, 1.0, 1.0 / 2.0, 1.0 / 3.0, 1.0 / 4.0, 1.0 / 5.0, 1.0 / 6.0,
                                   1.0 / 7.0, 1.0 / 8.0, 1.0 / 9.0, 1.0 / 10.0, 1.0 / 11.0,
                                   1.0 / 12.0, 1.0 / 13.0, 1.0 / 14.0, 1.0 / 15.0, 1.0 / 16.0);

#endif
