// SPDX-License-Identifier: MIT
// Shows the effects of weir_user, positions, weights and weir_store(). Columns with even numbers
// have the weight weir_user.w.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "weir/pyramid_custom.glsl"

vec4 weir_load(vec4 texel, ivec2 position, inout float weight)
{
    weight *= (position.x & 1) == 0 ? weir_user.w : 1.0;
    return vec4(dot(weir_user.xyz, vec3(texel.r, vec2(position))));
}

vec4 weir_reduce(vec4 a, vec4 b, vec4 c, vec3 weights)
{
    return weights.x * a + weights.y * b + weights.z * c;
}

vec4 weir_store(vec4 value)
{
    return 2.0 * value + 1.0;
}
