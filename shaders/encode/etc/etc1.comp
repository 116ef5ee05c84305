// SPDX-License-Identifier: MIT
// Encodes an image as ETC1, blocks in rows from the top left.
//
// An invocation encodes one block of 4x4 texels. A workgroup is 4x8 blocks. No shared memory.
// Requires nothing beyond Vulkan 1.2. Defined by tests/ref/etc1.c; see there for the papers.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "encode/texture.glsl"
#include "encode/etc/etc1.glsl"

void main()
{
    const uvec2 block = gl_GlobalInvocationID.xy;
    if (any(greaterThanEqual(4u * block, push.size))) {
        return;
    }
    ivec3 rgb[16];
    [[unroll]] for (uint i = 0u; i < 16u; i++) {
        rgb[i] = fetch_codes(block, i).rgb;
    }
    const EtcTexels x = etc_texels(rgb, ETC_ALL_OPAQUE);
    destination.blocks[block_index(block)] = pack_etc1(x, fit_etc1(x, true));
}
