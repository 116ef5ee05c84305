// SPDX-License-Identifier: MIT
// The transfer of sRGB, IEC 61966-2-1, between linear light and codes as fractions of the largest.
//
// Vulkan bounds pow() so that neither function is off by more than 0.0002 of an 8-bit code
// ("Precision and Operation of SPIR-V Instructions"; tests/ref/pyramid_compare.h).

vec3 encode_srgb(vec3 linear)
{
    const vec3 clipped = clamp(linear, 0.0, 1.0);
    const vec3 curve = 1.055 * pow(clipped, vec3(1.0 / 2.4)) - 0.055;
    return mix(curve, 12.92 * clipped, lessThanEqual(clipped, vec3(0.0031308)));
}

vec3 decode_srgb(vec3 encoded)
{
    const vec3 curve = pow((encoded + 0.055) * (1.0 / 1.055), vec3(2.4));
    return mix(curve, encoded * (1.0 / 12.92), lessThanEqual(encoded, vec3(0.04045)));
}
