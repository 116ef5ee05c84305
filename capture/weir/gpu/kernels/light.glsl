// SPDX-License-Identifier: MIT
// Texels of frames as light that is multiplied by alpha, which can be averaged, and back.

// Get the light of display codes of 0 .. 1 (IEC 61966-2-1).
vec3 light_of_codes(vec3 codes)
{
    return mix(pow((codes + 0.055) / 1.055, vec3(2.4)), codes / 12.92,
               lessThanEqual(codes, vec3(0.04045)));
}

vec3 codes_of_light(vec3 light)
{
    return mix(1.055 * pow(light, vec3(1.0 / 2.4)) - 0.055, 12.92 * light,
               lessThanEqual(light, vec3(0.0031308)));
}

// Where alpha is 0 colour does not count. Light of floats may be infinite or NaN in one texel. That
// must not spread to all whose taps touch it.
vec4 light_of_texel(vec4 texel, bool is_code, bool has_alpha)
{
    const float most = 65504.0; // of a half
    const vec3 light = is_code ? light_of_codes(texel.rgb)
                               : mix(clamp(texel.rgb, -most, most), vec3(0.0), isnan(texel.rgb));
    const float alpha = has_alpha ? texel.a : 1.0;
    return alpha > 0.0 ? vec4(light * alpha, alpha) : vec4(0.0);
}
