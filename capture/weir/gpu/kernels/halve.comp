// SPDX-License-Identifier: MIT
// The pyramid's kernel of a frame that becomes smaller: the levels are means of its light, which is
// multiplied by alpha.
//
// Reference: tests/gpu/scaler_test.c.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "weir/pyramid_custom.glsl"

#include "light.glsl"

// weir_user: x above 0: display codes; y above 0: with alpha, which is straight.
vec4 weir_load(vec4 texel, ivec2 position, inout float weight)
{
    return light_of_texel(texel, weir_user.x > 0.0, weir_user.y > 0.0);
}

vec4 weir_reduce(vec4 a, vec4 b, vec4 c, vec3 weights)
{
    return weights.x * a + weights.y * b + weights.z * c;
}

vec4 weir_store(vec4 value)
{
    return value;
}
