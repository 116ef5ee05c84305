// SPDX-License-Identifier: MIT
// Shows a frame of a HAP movie: its picture in a rectangle of the target, black around it, and a
// line of text in the lower left corner.
//
// An invocation makes a texel, a workgroup 8x8 of them. No shared memory. Requires nothing.
//
// Reference: tests/e2e/cli_play.sh, which compares pictures with FFmpeg's.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "weir/hap.glsl"

layout(local_size_x = 8, local_size_y = 8) in;

layout(constant_id = 0) const uint COLOR = 0u; // as weir_hap_decode() has it
// 0: on black, and straight; 1: on black, multiplied; 2: kept
layout(constant_id = 1) const uint ALPHA = 0u;
layout(constant_id = 2) const bool HAS_TEXT = false;
layout(constant_id = 3) const bool SWAPS = false; // red and blue

layout(set = 0, binding = 0) uniform sampler2D first;
layout(set = 0, binding = 1) uniform sampler2D second;
layout(set = 0, binding = 2, rgba8) uniform writeonly image2D target;

const uint MAX_TEXT = 80u;

layout(push_constant) uniform Push {
    vec2 origin, size; // of the picture in the target [texels]
    uint first_row; // of the target that is drawn
    uint num_chars, text_scale;
    uint text[MAX_TEXT / 4u]; // characters below 96
} push;

// A glyph has 3x5 dots: bit 0 is at the top left. From the blank to the underscore.
const uint GLYPHS[64] = uint[](
    0x0000u, 0x2092u, 0x002du, 0x5f7du, 0x3c9eu, 0x52a5u, 0x6aaau, 0x0012u,
    0x4494u, 0x1491u, 0x0aa8u, 0x05d0u, 0x1400u, 0x01c0u, 0x2000u, 0x12a4u,
    0x7b6fu, 0x7493u, 0x73e7u, 0x79e7u, 0x49edu, 0x79cfu, 0x7bcfu, 0x24a7u,
    0x7befu, 0x79efu, 0x0410u, 0x1410u, 0x4454u, 0x0e38u, 0x1511u, 0x20a7u,
    0x736fu, 0x5beau, 0x3aebu, 0x624eu, 0x3b6bu, 0x72cfu, 0x12cfu, 0x6b4eu,
    0x5bedu, 0x7497u, 0x2b24u, 0x5aedu, 0x7249u, 0x5bfdu, 0x5b6bu, 0x2b6au,
    0x12ebu, 0x456au, 0x5aebu, 0x388eu, 0x2497u, 0x7b6du, 0x2b6du, 0x5fedu,
    0x5aadu, 0x24adu, 0x72a7u, 0x324bu, 0x4889u, 0x6926u, 0x002au, 0x7000u);

vec3 codes_of_light(vec3 light)
{
    light = clamp(light, 0.0, 1.0);
    return mix(1.055 * pow(light, vec3(1.0 / 2.4)) - 0.055, 12.92 * light,
               lessThanEqual(light, vec3(0.0031308)));
}

// 0: beside the line of text, 1: on it, 2: on a dot of a character.
uint text_at(ivec2 at)
{
    const ivec2 corner = ivec2(at.x, imageSize(target).y - 1 - at.y);
    const ivec2 dot = corner / int(push.text_scale) - 2;
    const ivec2 inside = ivec2(dot.x, 6 - dot.y);
    const uint place = uint(inside.x) / 4u;
    if (any(lessThan(inside, ivec2(-1))) || inside.y > 6 ||
        inside.x > int(push.num_chars) * 4 - 1) {
        return 0u;
    }
    if (inside.x < 0 || inside.x % 4 == 3 || inside.y < 1 || inside.y > 5) {
        return 1u;
    }
    const uint code = push.text[place / 4u] >> (place % 4u * 8u) & 0xffu;
    return 1u + (GLYPHS[(code - 32u) % 64u] >> (inside.x % 4 + 3 * (inside.y - 1)) & 1u);
}

void main()
{
    const ivec2 at = ivec2(gl_GlobalInvocationID.xy) + ivec2(0, push.first_row);
    if (any(greaterThanEqual(at, imageSize(target)))) {
        return;
    }
    const vec2 uv = (vec2(at) + 0.5 - push.origin) / push.size;
    vec4 color = vec4(0.0, 0.0, 0.0, 1.0);
    if (all(greaterThanEqual(uv, vec2(0.0))) && all(lessThan(uv, vec2(1.0)))) {
        color = weir_hap_sample(COLOR, first, second, uv);
        color.rgb = COLOR == WEIR_HAP_LINEAR ? codes_of_light(color.rgb) : color.rgb;
        color = ALPHA == 0u ? vec4(color.rgb * color.a, 1.0) : color;
        color.a = ALPHA == 2u ? color.a : 1.0;
    }
    if (HAS_TEXT) {
        const uint text = text_at(at);
        color.rgb = text == 2u ? vec3(1.0) : text == 1u ? color.rgb * 0.25 : color.rgb;
    }
    imageStore(target, at, SWAPS ? color.bgra : color);
}
