// SPDX-License-Identifier: MIT
// Adds an effect's light to the scene's, exposes it and develops it.
#include "film.glsl"

layout(set = 0, binding = 0) uniform sampler2D picture;
layout(set = 0, binding = 1) uniform sampler2D added; // of any size
layout(set = 0, binding = 2) uniform sampler2D stops;

layout(push_constant) uniform Push {
    float strength, exposure;
    bool adapts;
};

layout(location = 0) out vec4 out_color;

void main()
{
    vec3 light = texelFetch(picture, ivec2(gl_FragCoord.xy), 0).rgb;
    if (strength > 0.0) {
        const vec2 at = gl_FragCoord.xy / vec2(textureSize(picture, 0));
        light += strength * textureLod(added, at, 0.0).rgb;
    }
    const float adapted = adapts ? exp2(texelFetch(stops, ivec2(0), 0).r) : 1.0;
    out_color = vec4(develop(light * exposure * adapted), 1.0);
}
