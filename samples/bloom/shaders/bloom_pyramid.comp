// SPDX-License-Identifier: MIT
// The pyramid's kernel of the bloom. It takes the light of a texel that glows, and weighs the texel
// among its neighbours. The pyramid itself, its sizes, its taps and its barriers are Weir's.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "weir/pyramid_custom.glsl"

// weir_user holds the threshold and the knee.
vec4 weir_load(vec4 texel, ivec2 position, inout float weight)
{
    const float threshold = weir_user.x, knee = weir_user.y;
    const float bright = max(texel.r, max(texel.g, texel.b));
    // A parabola over the knee, then a line: no edge where the glow begins.
    const float rise = clamp(bright - threshold + knee, 0.0, 2.0 * knee);
    const float excess = max(rise * rise / (4.0 * knee), bright - threshold);
    const vec3 light = texel.rgb * (excess / max(bright, 1e-4));
    // B. Karis, "Tone mapping", 2013: a single bright texel does not win over its neighbours.
    weight = 1.0 / (1.0 + dot(light, vec3(0.2126, 0.7152, 0.0722)));
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
