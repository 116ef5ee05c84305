// SPDX-License-Identifier: MIT
// Encodes an image as ETC2 RGBA: A as EAC, RGB as ETC2, blocks in rows from the top left.
//
// A workgroup encodes half of each of 4x8 blocks of 4x4 texels: z is 0 for A and 1 for RGB. Four
// invocations share a block: encode/lanes.glsl. 13 KiB of shared memory. Requires nothing beyond
// Vulkan 1.2.

#include "encode/texture.glsl"

const int EAC_UNIT = 1;

#include "encode/etc/eac.glsl"
#include "encode/etc/etc2.glsl"

void main()
{
    const uvec2 block = gl_GlobalInvocationID.xy;
    const uint part = gl_WorkGroupID.z;
    ivec4 codes[16];
    fetch_all_codes(block, codes);
    ivec3 rgb[16];
    int alpha[16];
    [[unroll]] for (uint i = 0u; i < 16u; i++) {
        rgb[i] = codes[i].rgb;
        alpha[i] = codes[i].a;
    }
    const uvec2 words = part == 0u ? encode_eac(alpha)
                                   : encode_etc2(etc_texels(rgb, ETC_ALL_OPAQUE), true);
    if (is_storing(block)) {
        destination.blocks[2u * block_index(block) + part] = words;
    }
}
