// SPDX-License-Identifier: MIT
// The pyramid's kernel of the exposure: the mean of log2(luminance) of every region.
#include "weir/pyramid_custom.glsl"

vec4 weir_load(vec4 texel, ivec2 position, inout float weight)
{
    // Black has no logarithm, and an infinity would be that of the whole picture.
    const float luminance = dot(texel.rgb, vec3(0.2126, 0.7152, 0.0722));
    return vec4(log2(clamp(luminance, 1e-4, 1e4)), 0.0, 0.0, 1.0);
}

vec4 weir_reduce(vec4 a, vec4 b, vec4 c, vec3 weights)
{
    return a * weights.x + b * weights.y + c * weights.z;
}

vec4 weir_store(vec4 value)
{
    return value;
}
