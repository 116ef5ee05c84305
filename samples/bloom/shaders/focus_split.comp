// SPDX-License-Identifier: MIT
// Separates the light behind the focus from the light in front of it, so that neither blurs into
// the other, and sharp light blurs into neither.
//
// An invocation makes a texel of both layers from four of the picture. Colours are premultiplied,
// so that the means of the pyramid and of the sampler weigh a colour by its coverage.

layout(local_size_x = 8, local_size_y = 8) in;

layout(set = 0, binding = 0) uniform sampler2D coc;
layout(set = 0, binding = 1) uniform sampler2D picture;
layout(set = 0, binding = 2, rgba16f) uniform writeonly image2DArray fields;

void main()
{
    const ivec2 size = imageSize(fields).xy, position = ivec2(gl_GlobalInvocationID.xy);
    const ivec2 last = textureSize(picture, 0) - 1;
    if (any(greaterThanEqual(position, size))) {
        return;
    }
    vec4 far = vec4(0.0), near = vec4(0.0);
    for (int i = 0; i < 4; ++i) {
        const ivec2 at = min(2 * position + ivec2(i & 1, i >> 1), last);
        const vec4 light = vec4(texelFetch(picture, at, 0).rgb, 1.0);
        const float radius = texelFetch(coc, at, 0).r;
        far += light * smoothstep(0.5, 2.5, radius);
        near += light * smoothstep(0.5, 2.5, -radius);
    }
    imageStore(fields, ivec3(position, 0), 0.25 * far);
    imageStore(fields, ivec3(position, 1), 0.25 * near);
}
