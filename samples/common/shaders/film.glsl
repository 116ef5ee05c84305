// SPDX-License-Identifier: MIT
// Converts the scene's light to the values that an image holds.

// enum film of film.h: linear light for an sRGB image, sRGB codes for a UNORM image, the scene's
// light.
layout(constant_id = 0) const uint film = 0;

vec3 encode_srgb(vec3 light)
{
    return mix(12.92 * light, 1.055 * pow(light, vec3(1.0 / 2.4)) - 0.055,
               greaterThan(light, vec3(0.0031308)));
}

vec3 decode_srgb(vec3 code)
{
    return mix(code / 12.92, pow((code + 0.055) / 1.055, vec3(2.4)),
               greaterThan(code, vec3(0.04045)));
}

// A filmic curve (the fit of K. Narkowicz, "ACES filmic tone mapping curve", 2015), then a code of
// noise so that the sky has no bands. The noise is J. Jimenez's interleaved gradient ("Next
// generation post processing in Call of Duty", 2014).
vec3 develop(vec3 color)
{
    if (film == 2u)
        return color;
    color *= 0.60;
    color = clamp(color * (2.51 * color + 0.03) / (color * (2.43 * color + 0.59) + 0.14), 0.0, 1.0);
    float seed = dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715));
    float noise = fract(52.9829189 * fract(seed)) - 0.5;
    if (film == 1u) {
        return encode_srgb(color) + noise * (0.9 / 255.0);
    }
    // A code is about 2.2 sqrt(color) / 255 wide in linear light.
    return max(color + noise * (0.9 / 255.0) * (2.2 * sqrt(color) + 0.04), 0.0);
}
