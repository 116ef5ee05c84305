// SPDX-License-Identifier: MIT
// Counts the calls of weir_reduce() that lie one above the other under a texel.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "weir/pyramid_custom.glsl"

vec4 weir_load(vec4 texel, ivec2 position, inout float weight)
{
    return vec4(0.0);
}

vec4 weir_reduce(vec4 a, vec4 b, vec4 c, vec3 weights)
{
    return max(max(a, b), c) + 1.0;
}

vec4 weir_store(vec4 value)
{
    return value;
}
