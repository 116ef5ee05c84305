// SPDX-License-Identifier: MIT
// Makes a level of the bloom from the one before it, or level 0 from the picture, by 13 taps.
//
// An invocation makes a texel of five squares of four taps, which overlap and lie on 6x6 texels:
// one in the middle, which counts half, and four around it. Method: J. Jimenez, "Next generation
// post processing in Call of Duty: Advanced Warfare", 2014.
#include "glow.glsl"

layout(local_size_x = 8, local_size_y = 8) in;

layout(set = 0, binding = 0) uniform sampler2D larger;
layout(set = 0, binding = 1) uniform writeonly image2D result;

layout(push_constant) uniform Push {
    float threshold, knee; // of what glows; a knee of 0: all does, and counts alike
};

// Get the glow of a bilinear tap times its weight, and the weight.
vec4 tap(vec2 at)
{
    const vec3 light = textureLod(larger, at, 0.0).rgb;
    const vec3 glow = knee > 0.0 ? glowing(light, threshold, knee) : light;
    return vec4(glow, 1.0) * (knee > 0.0 ? weight_of(glow) : 1.0);
}

// Get the mean of a square. Taps are weighed in squares and not all together, so that what a bright
// one takes from one square enters the others.
vec3 mean(vec4 a, vec4 b, vec4 c, vec4 d)
{
    const vec4 sum = a + b + c + d;
    return sum.rgb / sum.a;
}

void main()
{
    const ivec2 size = imageSize(result), position = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(position, size))) {
        return;
    }
    const vec2 texel = 1.0 / vec2(textureSize(larger, 0));
    const vec2 at = (vec2(position) + 0.5) / vec2(size);
    vec4 around[9]; // two texels apart, as the corners of the outer squares
    for (int i = 0; i < 9; ++i) {
        around[i] = tap(at + 2.0 * vec2(i % 3 - 1, i / 3 - 1) * texel);
    }
    vec3 light = 0.5 * mean(tap(at - texel), tap(at + vec2(texel.x, -texel.y)),
                            tap(at + vec2(-texel.x, texel.y)), tap(at + texel));
    for (int i = 0; i < 5; i += i == 1 ? 2 : 1) { // 0, 1, 3, 4: their first corners
        light += 0.125 * mean(around[i], around[i + 1], around[i + 3], around[i + 4]);
    }
    imageStore(result, position, vec4(light, 1.0));
}
