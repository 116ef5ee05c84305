// SPDX-License-Identifier: MIT
// Encodes an image as ETC2 RGB, blocks in rows from the top left.
//
// An invocation encodes one block of 4x4 texels. A workgroup is 4x8 blocks. No shared memory.
// Requires nothing beyond Vulkan 1.2.
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
    if (any(greaterThanEqual(4u * block, push.size))) {
        return;
    }
    ivec3 rgb[16];
#ifdef RGB8A1
    uint opaque = 0u;
    [[unroll]] for (uint i = 0u; i < 16u; i++) {
        const ivec4 codes = fetch_codes(block, i);
        opaque |= uint(codes.a >= 128) << i;
        rgb[i] = codes.a >= 128 ? codes.rgb : ivec3(0);
    }
    destination.blocks[block_index(block)] = encode_etc2(etc_texels(rgb, opaque), false);
#else
    [[unroll]] for (uint i = 0u; i < 16u; i++) {
        rgb[i] = fetch_codes(block, i).rgb;
    }
#ifdef ETC1
    const EtcTexels x = etc_texels(rgb, ETC_ALL_OPAQUE);
    destination.blocks[block_index(block)] = pack_etc1(x, fit_etc1(x, true));
#else
    destination.blocks[block_index(block)] = encode_etc2(etc_texels(rgb, ETC_ALL_OPAQUE), true);
#endif
#endif
}
