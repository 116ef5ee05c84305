// SPDX-License-Identifier: MIT
// The bindings and push constants of every encoder, and the part of an image that a dispatch
// encodes: src/encode/encoder.c.

#include "encode/constants.h"

layout(set = WEIR_ENCODE_SET_SOURCE, binding = 0) uniform texture2DArray source;

layout(push_constant) uniform Push {
    layout(offset = WEIR_ENCODE_PUSH_SIZE) uvec2 size; // of the region [texels]
    layout(offset = WEIR_ENCODE_PUSH_BLOCKS_PER_ROW) uint blocks_per_row; // of the buffer
    layout(offset = WEIR_ENCODE_PUSH_FIRST_BLOCK) uint first_block; // index in the buffer
    layout(offset = WEIR_ENCODE_PUSH_ORIGIN) uvec2 origin; // of the region in its level [texels]
    layout(offset = WEIR_ENCODE_PUSH_LAYER) uint layer;
    layout(offset = WEIR_ENCODE_PUSH_LEVEL) uint level;
#ifdef STEADY
    layout(offset = WEIR_ENCODE_PUSH_HISTORY) uint first_in_history; // as first_block
#endif
} push;

// Get the place in its level of texel `i` of a block, row-major. Blocks that reach over the edge
// repeat the texels at the edge.
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
