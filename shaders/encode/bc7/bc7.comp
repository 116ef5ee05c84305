// SPDX-License-Identifier: MIT
// Encodes an image as BC7, blocks in rows from the top left.
//
// An invocation encodes one block of 4x4 texels. A workgroup is 4x8 blocks. 7,744 bytes of shared
// memory. Requires nothing beyond Vulkan 1.2.

#include "encode/texture.glsl"

layout(constant_id = WEIR_ENCODE_CONSTANT_ALPHA_UNREAD) const bool ALPHA_UNREAD = false;

const uint NUM_INVOCATIONS = WEIR_ENCODE_GROUP_WIDTH * WEIR_ENCODE_GROUP_HEIGHT;
#include "encode/bc7/bc7.glsl"

void main()
{
    share_tables();
    barrier();
    const uvec2 block = gl_GlobalInvocationID.xy;
    if (any(greaterThanEqual(4u * block, push.size))) {
        return;
    }
    [[dont_unroll]] for (uint i = 0u; i < 16u; i++) {
        const uint texel = pack(fetch_codes(block, i));
        block_texels[i][gl_LocalInvocationIndex] = ALPHA_UNREAD ? texel | 0xff000000u : texel;
    }
    const uvec4 encoded = encode_bc7();
    destination.blocks[2u * block_index(block)] = encoded.xy;
    destination.blocks[2u * block_index(block) + 1u] = encoded.zw;
}
