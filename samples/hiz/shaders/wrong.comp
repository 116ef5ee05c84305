// SPDX-License-Identifier: MIT
// How not to make a level of farthest depths: of an odd side, the last row or column is dropped.

layout(local_size_x = 8, local_size_y = 8) in;

layout(set = 0, binding = 0) uniform sampler2D before;
layout(set = 0, binding = 1) uniform writeonly image2D after;

void main()
{
    ivec2 at = ivec2(gl_GlobalInvocationID.xy), last = textureSize(before, 0) - 1;
    if (any(greaterThanEqual(at, imageSize(after))))
        return;
    ivec2 a = min(2 * at, last), b = min(2 * at + 1, last);
    float depth = min(min(texelFetch(before, a, 0).r, texelFetch(before, b, 0).r),
                      min(texelFetch(before, ivec2(a.x, b.y), 0).r,
                          texelFetch(before, ivec2(b.x, a.y), 0).r));
    imageStore(after, at, vec4(depth));
}
