// SPDX-License-Identifier: MIT
// The pyramid's kernel of the circles of confusion: R is the smallest radius of a region, G the
// largest. Radii in front of the focus are negative.
#include "weir/pyramid_custom.glsl"

// weir_user holds the scale and the offset that turn depth into a radius [texels], and the largest
// radius.
vec4 weir_load(vec4 texel, ivec2 position, inout float weight)
{
    const float radius = clamp(weir_user.x * texel.r + weir_user.y, -weir_user.z, weir_user.z);
    return vec4(radius, radius, 0.0, 1.0);
}

vec4 weir_reduce(vec4 a, vec4 b, vec4 c, vec3 weights)
{
    // A tap that does not count repeats one that does.
    const vec4 low = min(min(a, b), c), high = max(max(a, b), c);
    return vec4(low.r, high.g, 0.0, 1.0);
}

vec4 weir_store(vec4 value)
{
    return value;
}
