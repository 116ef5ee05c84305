// SPDX-License-Identifier: MIT
// Encodes R of an image as EAC R11, or R and G as EAC RG11, signed where the source is, blocks in
// rows from the top left.
//
// A workgroup encodes 4x8 blocks of 4x4 texels of one channel: z is the channel. Four invocations
// share a block: encode/lanes.glsl. 2 KiB of shared memory. Requires nothing beyond Vulkan 1.2.

#include "encode/texture.glsl"

const int EAC_UNIT = 8;

#include "encode/etc/eac.glsl"

// Get the value of 11 bits that is nearest to a channel of texel `i`.
int fetch_value(uvec2 block, uint i, uint channel)
{
    const uint whole = SOURCE_IS_SIGNED ? 260096u : 261120u; // 1024 codes each
    return int((fetch_fine(block, i, channel) * uint(EAC_MAX) + whole / 2u) / whole);
}

void main()
{
    const uvec2 block = gl_GlobalInvocationID.xy;
    const uint channel = gl_WorkGroupID.z;
    int values[16];
    [[unroll]] for (uint i = 0u; i < 16u; i++) {
        values[i] = fetch_value(block, i, channel);
    }
    const uvec2 words = encode_eac(values);
    if (is_storing(block)) {
        destination.blocks[gl_NumWorkGroups.z * block_index(block) + channel] = words;
    }
}
