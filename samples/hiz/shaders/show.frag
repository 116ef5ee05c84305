// SPDX-License-Identifier: MIT
// Haze and the sky at dusk behind what was drawn; where pyramids are compared, in the right half,
// also the boxes that the wrong one would lose.
#include "dusk.glsl"
#include "film.glsl"

layout(set = 0, binding = 0) uniform sampler2D light; // in a 1 where a box is LOST
layout(set = 0, binding = 1) uniform sampler2D depth;

layout(push_constant) uniform Push {
    vec4 right, up, forward; // rays to the edges; in w the near plane, the far one, 1 to compare
    float eye_height;
};

layout(location = 0) out vec4 out_color;

// Get what is seen along a ray of which the depth and the light are known.
vec3 look(vec3 ray, float z, vec3 color)
{
    float near = right.w, far = up.w;
    if (z == 0.0)
        return sky(normalize(ray));
    vec3 path = ray * (near * far / (z * (far - near) + near));
    // Haze that is thinner higher up, along the way from the eye.
    float up_by = path.y, low = exp(-eye_height / 60.0);
    float mean = abs(up_by) < 0.1 ? low : low * (1.0 - exp(-up_by / 60.0)) / (up_by / 60.0);
    float clear = exp(-0.0028 * length(path) * mean);
    vec3 haze = sky(normalize(vec3(ray.x, 0.12, ray.z)));
    return mix(haze * 0.8, color, clear);
}

void main()
{
    ivec2 at = ivec2(gl_FragCoord.xy), size = textureSize(depth, 0);
    vec2 p = (2.0 * gl_FragCoord.xy / vec2(size) - 1.0) * vec2(1.0, -1.0);
    vec3 ray = forward.xyz + p.x * right.xyz + p.y * up.xyz;
    vec4 texel = texelFetch(light, at, 0);
    vec3 color = look(ray, texelFetch(depth, at, 0).r, texel.rgb);
    int after = at.x - size.x / 2;
    if (forward.w == 1.0 && after >= 0) {
        color = mix(vec3(dot(color, vec3(0.3, 0.6, 0.1))), color, 0.45) * 0.85;
        color = mix(color, vec3(3.0, 0.02, 0.30), 0.75 * texel.a);
        color = after < 2 ? vec3(2.0) : color;
    }
    out_color = vec4(develop(color), 1.0);
}
