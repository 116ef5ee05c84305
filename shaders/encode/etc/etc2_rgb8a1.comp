// SPDX-License-Identifier: MIT
// Encodes an image as ETC2 RGB8A1, blocks in rows from the top left. Texels whose alpha is below
// 128 are transparent.
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
    uint opaque = 0u;
    [[unroll]] for (uint i = 0u; i < 16u; i++) {
        const ivec4 codes = fetch_codes(block, i);
        opaque |= uint(codes.a >= 128) << i;
        rgb[i] = codes.a >= 128 ? codes.rgb : ivec3(0);
    }
    destination.blocks[block_index(block)] = encode_etc2(etc_texels(rgb, opaque), false);
}
