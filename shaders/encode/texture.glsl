// SPDX-License-Identifier: MIT
// What the kernels of block formats for textures are bound to: src/encode/encoder.c.

layout(local_size_x = 4, local_size_y = 8) in;

const uint LEVEL_DEFAULT = 0u; // enum weir_level
const uint LEVEL_FAST = 1u;
const uint LEVEL_HIGH = 2u;

layout(constant_id = 0) const uint SOURCE_KIND = 0u;
layout(constant_id = 2) const bool DITHER = true;
layout(constant_id = 3) const uint LEVEL = LEVEL_DEFAULT;

layout(set = 0, binding = 0) uniform texture2D source;
layout(set = 1, binding = 0, std430) writeonly buffer Target { uvec2 blocks[]; } target;

layout(push_constant) uniform Push {
    uvec2 size;          // of the source [texels]
    uint blocks_per_row; // of the target
    uint first_block;    // index in the target
} push;

#include "color/source.glsl"

// The codes of texel `i` of a block, row-major. Edge texels repeat in blocks that reach over the edge.
ivec4 fetch_codes(uvec2 block, uint i)
{
    const uvec2 position = min(4u * block + uvec2(i & 3u, i >> 2), push.size - 1u);
    const vec4 texel = texelFetch(source, ivec2(position), 0);
    return ivec4(source_codes(texel.rgb, position), source_alpha(texel.a));
}

uint block_index(uvec2 block)
{
    return push.first_block + block.y * push.blocks_per_row + block.x;
}
