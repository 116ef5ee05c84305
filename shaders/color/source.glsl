// SPDX-License-Identifier: MIT
// From the texels of a host's image to 8-bit display-referred code values.
//
// Every step is exact or integer, so that each device gives the same codes: tests/ref/source.c.
// The includer declares SOURCE_KIND and DITHER.
#include "color/srgb_encode_table.glsl"

const uint SOURCE_CODES8 = 0u;  // code / 255
const uint SOURCE_DECODED = 1u; // sRGB decoded by the view
const uint SOURCE_CODES10 = 2u; // code / 1023
const uint SOURCE_FLOAT = 3u;   // fp16 code values, 1.0 is code 255
const uint SOURCE_LINEAR = 4u;  // linear light, 1.0 is display white

const uint ONE_BITS = 0x3f800000u;
const uint INFINITY_BITS = 0x7f800000u;

// Clip to 0 .. 1; NaN and negative values become 0. By bits, because comparisons with NaN are a driver's
// choice.
float clip(float x)
{
    uint bits = floatBitsToUint(x);
    return bits > INFINITY_BITS ? 0.0 : bits > ONE_BITS ? 1.0 : x;
}

// Encode linear light 0 .. 1 in 1/1024 of a code: linear interpolation between 16 points an octave, at
// most 0.03 codes off.
uint srgb_encode(float x)
{
    uint bits = floatBitsToUint(x);
    const uint first = 118u << 4; // of 2^-9, below which the encoding is a straight line
    if ((bits >> 19) < first) {
        // 12.92 * 255 * 1024 / 2^24 in 16.16; x * 2^24 is exact
        return (uint(x * 16777216.0) * 13178u + 32768u) >> 16;
    }
    uint i = min((bits >> 19) - first, 144u);
    uint low = SRGB_ENCODE_TABLE[i];
    uint high = SRGB_ENCODE_TABLE[min(i + 1u, 144u)];
    uint fraction = (bits >> 7) & 0xfffu;
    return low + (((high - low) * fraction + 2048u) >> 12);
}

// One channel in 1/1024 of a code.
uint channel_fine(float x)
{
    if (SOURCE_KIND == SOURCE_CODES10) {
        return (uint(x * 1023.0 + 0.5) * 261120u + 511u) / 1023u;
    }
    if (SOURCE_KIND == SOURCE_FLOAT) {
        return uint(clip(x) * 261120.0);
    }
    return srgb_encode(clip(x));
}

// 8x8 ordered dither: the threshold at a texel in 1/1024, 8 .. 1016 (Bayer 1973).
uint dither_threshold(uvec2 position)
{
    uint y = position.y;
    uint d = position.x ^ y;
    uint rank = (d & 1u) << 5 | (y & 1u) << 4 | (d & 2u) << 2 | (y & 2u) << 1 | (d & 4u) >> 1 | (y & 4u) >> 2;
    return rank * 16u + 8u;
}

// Codes packed as 0x00BBGGRR.
uint source_codes(vec3 texel, uvec2 position)
{
    uvec3 codes;
    if (SOURCE_KIND == SOURCE_CODES8) {
        codes = uvec3(texel * 255.0 + 0.5);
    } else {
        uint threshold = SOURCE_KIND != SOURCE_DECODED && DITHER ? dither_threshold(position) : 512u;
        codes = uvec3(channel_fine(texel.r), channel_fine(texel.g), channel_fine(texel.b));
        codes = (codes + threshold) >> 10;
    }
    return codes.r | codes.g << 8 | codes.b << 16;
}
