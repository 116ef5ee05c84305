// SPDX-License-Identifier: MIT
// The pyramid's kernel of the bloom, by 4 taps. It takes the light of a texel that glows, and
// weighs it. The pyramid itself, its sizes, its taps and its barriers are Weir's.
#include "glow.glsl"
#include "weir/pyramid_custom.glsl"

// weir_user holds the threshold and the knee.
vec4 weir_load(vec4 texel, ivec2 position, inout float weight)
{
    const vec3 light = glowing(texel.rgb, weir_user.x, weir_user.y);
    weight = weight_of(light);
    return vec4(light, 1.0);
}

vec4 weir_reduce(vec4 a, vec4 b, vec4 c, vec3 weights)
{
    return a * weights.x + b * weights.y + c * weights.z;
}

vec4 weir_store(vec4 value)
{
    return value;
}
