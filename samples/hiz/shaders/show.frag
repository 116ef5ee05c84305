// SPDX-License-Identifier: MIT
// Haze and the sky at dusk behind what was drawn; and where two views are compared, what is missing
// in the second.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "dusk.glsl"
#include "film.glsl"

layout(set = 0, binding = 0) uniform sampler2D light;
layout(set = 0, binding = 1) uniform sampler2D depth;
layout(set = 0, binding = 2) uniform sampler2D other_light;
layout(set = 0, binding = 3) uniform sampler2D other_depth;

layout(push_constant) uniform Push {
    vec4 right, up, forward; // rays to the edges; in w the near plane, the far one, 1 to compare
    float eye_height;
};

layout(location = 0) out vec4 out_color;

vec3 look(sampler2D colors, sampler2D depths, vec3 ray)
{
    ivec2 at = ivec2(gl_FragCoord.xy);
    float near = right.w, far = up.w, z = texelFetch(depths, at, 0).r;
    vec3 background = sky(normalize(ray));
    if (z == 0.0)
        return background;
    vec3 path = ray * (near * far / (z * (far - near) + near));
    // Haze that is thinner higher up, along the way from the eye.
    float up_by = path.y, low = exp(-eye_height / 60.0);
    float mean = abs(up_by) < 0.1 ? low : low * (1.0 - exp(-up_by / 60.0)) / (up_by / 60.0);
    float clear = exp(-0.0028 * length(path) * mean);
    vec3 haze = sky(normalize(vec3(ray.x, 0.12, ray.z)));
    return mix(haze * 0.8, texelFetch(colors, at, 0).rgb, clear);
}

bool is_hole(ivec2 at)
{
    return texelFetch(depth, at, 0).r != texelFetch(other_depth, at, 0).r;
}

void main()
{
    ivec2 at = ivec2(gl_FragCoord.xy), size = textureSize(depth, 0);
    vec2 p = (2.0 * gl_FragCoord.xy / vec2(size) - 1.0) * vec2(1.0, -1.0);
    vec3 ray = forward.xyz + p.x * right.xyz + p.y * up.xyz;
    int middle = size.x / 2;
    if (forward.w == 0.0 || at.x < middle) {
        out_color = vec4(develop(look(light, depth, ray)), 1.0);
        return;
    }
    vec3 color = look(other_light, other_depth, ray);
    color = mix(vec3(dot(color, vec3(0.3, 0.6, 0.1))), color, 0.45) * 0.85;
    if (is_hole(at))
        color = mix(color, vec3(3.0, 0.02, 0.30), 0.75);
    out_color = vec4(develop(at.x < middle + 2 ? vec3(2.0) : color), 1.0);
}
