// SPDX-License-Identifier: MIT
// What every encoder is bound to, and the part of an image that a dispatch encodes: src/encode/encoder.c.

layout(set = 0, binding = 0) uniform texture2DArray source;

layout(push_constant) uniform Push {
    uvec2 size;          // of the region [texels]
    uint blocks_per_row; // of the target
    uint first_block;    // index in the target
    uvec2 origin;        // of the region in its level [texels]
    uint layer, level;
} push;

// Where texel `i` of a block, row-major, lies in its level. Edge texels repeat in blocks that reach over the edge.
uvec2 texel_position(uvec2 block, uint i)
{
    return push.origin + min(4u * block + uvec2(i & 3u, i >> 2), push.size - 1u);
}

vec4 fetch_texel(uvec2 position)
{
    return texelFetch(source, ivec3(position, push.layer), int(push.level));
}

uint block_index(uvec2 block)
{
    return push.first_block + block.y * push.blocks_per_row + block.x;
}
