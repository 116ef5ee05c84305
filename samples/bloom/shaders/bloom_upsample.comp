// SPDX-License-Identifier: MIT
// Adds to a level of the glow, in place, the light of the next smaller level, blurred by a tent.
//
// An invocation makes a texel. Method: J. Jimenez, "Next generation post processing in Call of
// Duty: Advanced Warfare", 2014.

layout(local_size_x = 8, local_size_y = 8) in;

layout(set = 0, binding = 0) uniform sampler2D own;
layout(set = 0, binding = 1) uniform sampler2D smaller;
layout(set = 0, binding = 2) uniform writeonly image2D result;

layout(push_constant) uniform Push {
    float spread; // the smaller level's share
};

// Nine bilinear taps a texel apart, weighted 1 2 1 both ways: a tent of three texels, and so smooth
// that the level's own grid cannot be seen.
vec3 tent(vec2 at)
{
    vec3 sum = vec3(0.0);
    for (int i = 0; i < 9; ++i) {
        const vec2 tap = vec2(i % 3 - 1, i / 3 - 1), weights = 2.0 - abs(tap);
        sum += weights.x * weights.y *
               textureLod(smaller, at + tap / vec2(textureSize(smaller, 0)), 0.0).rgb;
    }
    return sum / 16.0;
}

void main()
{
    const ivec2 size = imageSize(result), position = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(position, size))) {
        return;
    }
    const vec3 light = texelFetch(own, position, 0).rgb;
    const vec3 around = tent((vec2(position) + 0.5) / vec2(size));
    imageStore(result, position, vec4(mix(light, around, spread), 1.0));
}
