// SPDX-License-Identifier: MIT
// Makes one axis of an image shorter: each result is a weighted sum of texels in a row or column.
//
// An invocation makes a texel, a workgroup 8x8 of them. The taps are made by the host (taps.c): for
// each place on the axis the first texel, then for each the weights, as bits. The last pass makes
// texels of a frame of the light. No shared memory. Requires shaderStorageImageWriteWithoutFormat.
//
// Reference: tests/gpu/scaler_test.c.
#version 460
#extension GL_EXT_samplerless_texture_functions : require
#extension GL_EXT_shader_image_load_formatted : require

layout(local_size_x = 8, local_size_y = 8) in;

layout(constant_id = 0) const bool IS_VERTICAL = false;
layout(constant_id = 1) const bool READS_FRAME = false;  // else light, multiplied by alpha
layout(constant_id = 2) const bool WRITES_FRAME = false; // else the same
layout(constant_id = 3) const bool HAS_ALPHA = false;
layout(constant_id = 4) const uint MAX_CODE = 255u; // of display codes; 0: light
layout(constant_id = 5) const bool MULTIPLIES = false; // codes by alpha

layout(set = 0, binding = 0) uniform texture2D source;
layout(set = 0, binding = 1) uniform writeonly image2D result;
layout(set = 0, binding = 2, std430) readonly buffer Taps { uint words[]; } taps;

layout(push_constant) uniform Push {
    uvec2 size; // of the result [texels]
    uint num_taps;
} push;

// Texels of frames are summed up as light that is multiplied by alpha.

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

vec4 read(ivec2 position)
{
    const vec4 texel = texelFetch(source, position, 0);
    return READS_FRAME ? light_of_texel(texel, MAX_CODE > 0u, HAS_ALPHA) : texel;
}

// A device may round halves to either side: round here.
vec4 round_codes(vec4 codes)
{
    return floor(clamp(codes, 0.0, 1.0) * float(MAX_CODE) + 0.5) / float(MAX_CODE);
}

vec4 frame_texel(vec4 light)
{
    const vec3 straight = !HAS_ALPHA ? light.rgb : light.a > 0.0 ? light.rgb / light.a : vec3(0.0);
    const float alpha = clamp(light.a, 0.0, 1.0);
    if (MAX_CODE == 0u) {
        return vec4(clamp(straight, -65504.0, 65504.0), alpha);
    }
    const vec3 codes = codes_of_light(clamp(straight, 0.0, 1.0));
    return round_codes(vec4(MULTIPLIES ? codes * alpha : codes, alpha));
}

void main()
{
    const uvec2 at = gl_GlobalInvocationID.xy;
    if (any(greaterThanEqual(at, push.size))) {
        return;
    }
    const uint place = IS_VERTICAL ? at.y : at.x;
    const uint length = IS_VERTICAL ? push.size.y : push.size.x;
    const uint first = taps.words[place];
    vec4 sum = vec4(0.0);
    for (uint i = 0u; i < push.num_taps; i++) {
        const float weight = uintBitsToFloat(taps.words[length + place * push.num_taps + i]);
        sum += weight * read(ivec2(IS_VERTICAL ? uvec2(at.x, first + i) : uvec2(first + i, at.y)));
    }
    imageStore(result, ivec2(at), WRITES_FRAME ? frame_texel(sum) : sum);
}
