// SPDX-License-Identifier: MIT
// Makes the picture as the lens shows it, in place: sharp in the focus, else blended with its
// blurred fields.
//
// An invocation makes a texel. A texel that stays sharp is not written.

layout(local_size_x = 8, local_size_y = 8) in;

layout(set = 0, binding = 0) uniform sampler2D coc;
layout(set = 0, binding = 1) uniform sampler2DArray blurred; // premultiplied, half as large
layout(set = 0, binding = 2, rgba16f) uniform image2D picture;

// Get the share of a blurred field at a radius [texels]. A circle below half a texel is not seen.
float share(float radius)
{
    return smoothstep(0.5, 2.5, radius);
}

void main()
{
    const ivec2 size = imageSize(picture), position = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(position, size))) {
        return;
    }
    const vec2 at = (vec2(position) + 0.5) / vec2(size);
    const float radius = texelFetch(coc, position, 0).r;
    const vec4 far = textureLod(blurred, vec3(at, 0.0), 0.0);
    const vec4 near = textureLod(blurred, vec3(at, 1.0), 0.0);
    const float far_share = far.a > 0.0 ? share(radius) : 0.0;
    const float near_share = near.a > 0.0 ? max(near.a, share(-radius)) : 0.0;
    if (far_share + near_share == 0.0) {
        return;
    }
    vec3 light = imageLoad(picture, position).rgb;
    light = mix(light, far.rgb / max(far.a, 1e-4), far_share);
    light = mix(light, near.rgb / max(near.a, 1e-4), near_share);
    imageStore(picture, position, vec4(light, 1.0));
}
