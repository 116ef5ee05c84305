// SPDX-License-Identifier: MIT
// Encodes an image as BC6H, blocks in rows from the top left.
//
// An invocation encodes one block of 4x4 texels. A workgroup is 4x8 blocks. No shared memory.
// Requires nothing beyond Vulkan 1.2.
//
// IS_SIGNED: true or false.

#include "encode/texture.glsl"
#include "encode/halves.glsl"
#include "encode/bc6h/block.glsl"
#include "encode/bc6h/bc6h.glsl"
#include "encode/bc6h/live.glsl"

uvec4 encode_texels(uvec2 block)
{
    if (EFFORT == WEIR_ENCODE_EFFORT_LIVE) {
        vec4 texels[16];
        fetch_block(block, texels);
        return encode_bc6h_live(texels);
    }
    [[unroll]] for (uint i = 0u; i < 16u; i++) {
        values[i] = value_of_half(fetch_halves(block, i, IS_SIGNED));
    }
    return encode_bc6h();
}

void main()
{
    const uvec2 block = gl_GlobalInvocationID.xy;
    if (any(greaterThanEqual(4u * block, push.size))) {
        return;
    }
    const uvec4 words = encode_texels(block);
    destination.blocks[2u * block_index(block)] = words.xy;
    destination.blocks[2u * block_index(block) + 1u] = words.zw;
}
