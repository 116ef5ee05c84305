// SPDX-License-Identifier: MIT
// Encodes an image as ETC2 RGB, blocks in rows from the top left.
//
// An invocation encodes one block of 4x4 texels. A workgroup is 4x8 blocks. No shared memory.
// Requires nothing beyond Vulkan 1.2. Defined by tests/ref/etc2.c; see there for the papers.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "encode/texture.glsl"
#include "encode/etc/etc2.glsl"

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
    destination.blocks[block_index(block)] = encode_etc2(etc_texels(rgb, ETC_ALL_OPAQUE), true);
}
