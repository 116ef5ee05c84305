// SPDX-License-Identifier: MIT
// The light that all surfaces share: the sky, the sun and its shadow.
#include "sky.glsl"

vec3 sun_light()
{
    return vec3(5.0, 3.7, 2.6) * view.daylight;
}

float sunlit(vec3 world, vec3 normal)
{
    vec4 p = view.light_view_projection * vec4(world + normal * 0.025, 1.0);
    vec3 at = vec3(p.xy * 0.5 + 0.5, p.z - 0.0012);
    vec2 texel = 0.75 / vec2(textureSize(shadow_map, 0));
    float sum = texture(shadow_map, at + vec3(-texel.x, -0.4 * texel.y, 0.0));
    sum += texture(shadow_map, at + vec3(0.4 * texel.x, -texel.y, 0.0));
    sum += texture(shadow_map, at + vec3(texel.x, 0.4 * texel.y, 0.0));
    sum += texture(shadow_map, at + vec3(-0.4 * texel.x, texel.y, 0.0));
    vec2 outside = abs(at.xy - 0.5);
    return max(outside.x, outside.y) > 0.499 ? 1.0 : 0.25 * sum;
}
