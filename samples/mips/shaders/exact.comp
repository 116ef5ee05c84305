// SPDX-License-Identifier: MIT
// A level from the level before it, by the definition: of an odd side three texels count, by the
// exact share that each has in the texel that is made.
//
// An invocation makes a texel. Weights: NVIDIA, "Non-Power-of-Two Mipmap Creation", 2005.

layout(local_size_x = 8, local_size_y = 8) in;

layout(set = 0, binding = 0) uniform sampler2D before;
layout(set = 0, binding = 1, rgba32f) uniform writeonly image2D result;

// Get the weights of the texels 2 i, 2 i + 1 and 2 i + 2 of a side.
vec3 weights(int i, int side)
{
    const int half_side = side / 2;
    if (side == 1) {
        return vec3(1.0, 0.0, 0.0);
    }
    return side % 2 == 0 ? vec3(0.5, 0.5, 0.0)
                         : vec3(half_side - i, half_side, i + 1) / float(side);
}

void main()
{
    const ivec2 position = ivec2(gl_GlobalInvocationID.xy), side = textureSize(before, 0);
    if (any(greaterThanEqual(position, imageSize(result)))) {
        return;
    }
    const vec3 across = weights(position.x, side.x), down = weights(position.y, side.y);
    vec4 sum = vec4(0.0);
    for (int y = 0; y < 3; ++y) {
        for (int x = 0; x < 3; ++x) {
            const ivec2 at = min(2 * position + ivec2(x, y), side - 1);
            sum += across[x] * down[y] * texelFetch(before, at, 0);
        }
    }
    imageStore(result, position, sum);
}
