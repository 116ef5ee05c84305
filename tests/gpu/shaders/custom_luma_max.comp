// SPDX-License-Identifier: MIT
// Takes the greatest luminance: the value of a texel is not the texel itself.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "weir/pyramid_custom.glsl"

vec4 weir_load(vec4 texel, ivec2 position, inout float weight)
{
    return vec4(dot(texel.rgb, vec3(0.2126, 0.7152, 0.0722)));
}

vec4 weir_reduce(vec4 a, vec4 b, vec4 c, vec3 weights)
{
    return max(max(a, b), c);
}

vec4 weir_store(vec4 value)
{
    return value;
}
