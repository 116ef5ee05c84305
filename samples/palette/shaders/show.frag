// SPDX-License-Identifier: MIT
// Shows the picture as it is, and the row of its colours along the bottom.
#include "film.glsl"

// Both hold sRGB codes.
layout(set = 0, binding = 0) uniform sampler2D picture;
layout(set = 0, binding = 1) uniform sampler2D row;

layout(push_constant) uniform Push {
    int top; // the first line of the row of colours
};

layout(location = 0) out vec4 out_color;

void main()
{
    const ivec2 at = ivec2(gl_FragCoord.xy);
    const int width = textureSize(picture, 0).x;
    vec3 code = at.y < top ? texelFetch(picture, at, 0).rgb
                           : texelFetch(row, ivec2((256 * at.x + 128) / width, 0), 0).rgb;
    out_color = vec4(film == 1u ? code : decode_srgb(code), 1.0);
}
