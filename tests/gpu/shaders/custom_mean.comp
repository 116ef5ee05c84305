// SPDX-License-Identifier: MIT
// WEIR_PYRAMID_MEAN as a kernel of the user's.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "weir/pyramid_custom.glsl"

vec4 weir_load(vec4 texel, ivec2 position, inout float weight)
{
    return texel;
}

vec4 weir_reduce(vec4 a, vec4 b, vec4 c, vec3 weights)
{
    return weights.x * a + weights.y * b + weights.z * c;
}

vec4 weir_store(vec4 value)
{
    return value;
}
