// SPDX-License-Identifier: MIT
// The bindings and push constants of every encoder, and the part of an image that a dispatch
// encodes: src/encode/encoder.c.

#include "encode/constants.h"

layout(set = WEIR_ENCODE_SET_SOURCE, binding = 0) uniform sampler2DArray source;

layout(push_constant) uniform Push {
#include "encode/push.glsl"
#ifdef STEADY
    layout(offset = WEIR_ENCODE_PUSH_HISTORY) uint first_in_history; // as first_block
#endif
#ifdef PROXY
    layout(offset = WEIR_ENCODE_PUSH_PROXY_ROW) uint proxy_row; // of blocks: the region's first
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

// Get the texel of a block that is component `c` of the gather of its quad `q`: quads are
// row-major, and a gather begins at the bottom left and goes round (Vulkan 1.3, 16.9).
uint gathered_texel(uint q, uint c)
{
    const uint x = 2u * (q & 1u) + uint(c == 1u || c == 2u);
    const uint y = 2u * (q >> 1) + uint(c < 2u);
    return 4u * y + x;
}

// Get the 16 texels of a block, row-major. A gather fetches a channel of four texels, and channels
// that the kernel does not use are not gathered: that is faster than fetches, the more so the fewer
// channels there are (docs/encoders.md). Its place is the corner where the four meet, half a texel
// from where others would be gathered; the sampler repeats the edge of the image.
void fetch_block(uvec2 block, out vec4 texels[16])
{
    if (push.gathers == 0u) {
        [[unroll]] for (uint i = 0u; i < 16u; i++) {
            texels[i] = fetch_texel(texel_position(block, i));
        }
        return;
    }
    const vec2 scale = 1.0 / vec2(textureSize(source, 0).xy);
    const vec2 corner = vec2(push.origin + 4u * block + 1u);
    [[unroll]] for (uint q = 0u; q < 4u; q++) {
        const vec3 place = vec3((corner + 2.0 * vec2(q & 1u, q >> 1)) * scale, 0.0);
        const vec4 r = textureGather(source, place, 0), g = textureGather(source, place, 1);
        const vec4 b = textureGather(source, place, 2), a = textureGather(source, place, 3);
        [[unroll]] for (uint c = 0u; c < 4u; c++) {
            texels[gathered_texel(q, c)] = vec4(r[c], g[c], b[c], a[c]);
        }
    }
}

uint block_index(uvec2 block)
{
    return push.first_block + block.y * push.blocks_per_row + block.x;
}
