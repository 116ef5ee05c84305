// SPDX-License-Identifier: MIT
// Encodes an image as ETC2 RGBA: A as EAC, RGB as ETC2, blocks in rows from the top left.
//
// An invocation encodes half a block of 4x4 texels: z is 0 for A and 1 for RGB. A workgroup is 4x8
// blocks. No shared memory. Requires nothing beyond Vulkan 1.2.

#include "encode/texture.glsl"

const int EAC_UNIT = 1;

#include "encode/etc/eac.glsl"
#include "encode/etc/etc2.glsl"

void main()
{
    const uvec2 block = gl_GlobalInvocationID.xy;
    const uint part = gl_WorkGroupID.z;
    if (any(greaterThanEqual(4u * block, push.size))) {
        return;
    }
    ivec3 rgb[16];
    int alpha[16];
    [[unroll]] for (uint i = 0u; i < 16u; i++) {
        const ivec4 codes = fetch_codes(block, i);
        rgb[i] = codes.rgb;
        alpha[i] = codes.a;
    }
    destination.blocks[2u * block_index(block) + part] =
        part == 0u ? encode_eac(alpha) : encode_etc2(etc_texels(rgb, ETC_ALL_OPAQUE), true);
}
