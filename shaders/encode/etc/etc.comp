// SPDX-License-Identifier: MIT
// Encodes an image as ETC2 RGB, blocks in rows from the top left.
//
// A workgroup encodes 4x8 blocks of 4x4 texels. Four invocations share a block: encode/lanes.glsl.
// 11 KiB of shared memory. Requires nothing beyond Vulkan 1.2.
//
// ETC1: as ETC1. RGB8A1: as ETC2 RGB8A1, texels whose alpha is below 128 are transparent.

#include "encode/texture.glsl"
#ifdef ETC1
#include "encode/etc/etc1.glsl"
#else
#include "encode/etc/etc2.glsl"
#endif

void main()
{
    const uvec2 block = gl_GlobalInvocationID.xy;
    ivec4 codes[16];
    fetch_all_codes(block, codes);
    ivec3 rgb[16];
#ifdef RGB8A1
    uint opaque = 0u;
    [[unroll]] for (uint i = 0u; i < 16u; i++) {
        opaque |= uint(codes[i].a >= 128) << i;
        rgb[i] = codes[i].a >= 128 ? codes[i].rgb : ivec3(0);
    }
    const uvec2 words = encode_etc2(etc_texels(rgb, opaque), false);
#else
    [[unroll]] for (uint i = 0u; i < 16u; i++) {
        rgb[i] = codes[i].rgb;
    }
#ifdef ETC1
    const uvec2 words = encode_etc1(etc_texels(rgb, ETC_ALL_OPAQUE));
#else
    const uvec2 words = encode_etc2(etc_texels(rgb, ETC_ALL_OPAQUE), true);
#endif
#endif
    if (is_storing(block)) {
        destination.blocks[block_index(block)] = words;
    }
}
