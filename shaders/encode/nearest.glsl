// SPDX-License-Identifier: MIT
// Rounding by an addition: conversions and floor() have an eighth of its rate on NVIDIA hardware.
// It assumes that additions round to nearest, as they do on every known driver (Vulkan also allows
// rounding to zero). What lies between two such roundings is `precise` too, else a driver (NVIDIA
// 580.159) may move their constants through it.
#ifndef WEIR_ENCODE_NEAREST
#define WEIR_ENCODE_NEAREST

// A sum with this number has no bits for a fraction, and an integer in its lowest bits.
const float LARGE = 12582912.0; // 1.5 * 2^23

// Get the integer nearest to x, which has |x| < 2^22 and is not halfway between two.
float nearest(float x)
{
    precise float sum = x + LARGE;
    precise float integer = sum - LARGE;
    return integer;
}

vec3 nearest(vec3 x)
{
    precise vec3 sum = x + LARGE;
    precise vec3 integers = sum - LARGE;
    return integers;
}

#endif
