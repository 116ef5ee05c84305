// SPDX-License-Identifier: MIT
// Floats that every device rounds alike: to integers, and where they are divided.
//
// Requires GL_EXT_control_flow_attributes.
#ifndef WEIR_ENCODE_ROUNDING
#define WEIR_ENCODE_ROUNDING

#include "encode/nearest.glsl"

// Convert whole floats below 2^22.
ivec3 integers_of(vec3 x)
{
    precise vec3 sum = x + LARGE;
    return floatBitsToInt(sum) - floatBitsToInt(LARGE);
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

// 1 / n
const float INVERSES[17] = float[](0.0, 1.0, 1.0 / 2.0, 1.0 / 3.0, 1.0 / 4.0, 1.0 / 5.0, 1.0 / 6.0,
                                   1.0 / 7.0, 1.0 / 8.0, 1.0 / 9.0, 1.0 / 10.0, 1.0 / 11.0,
                                   1.0 / 12.0, 1.0 / 13.0, 1.0 / 14.0, 1.0 / 15.0, 1.0 / 16.0);

#endif
