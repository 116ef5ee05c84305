// SPDX-License-Identifier: MIT
// Encodes R of an image as BC4, or R and G as BC5, signed where the source is, blocks in rows from the top left.
//
// An invocation encodes one block of 4x4 texels of one channel: z is the channel. A workgroup is 4x8 blocks. No
// shared memory. Requires nothing beyond Vulkan 1.2. Defined by tests/ref/bc4.c; see there for the paper.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_samplerless_texture_functions : require

#include "encode/texture.glsl"
#include "encode/bc4.glsl"

void main()
{
    const uvec2 block = gl_GlobalInvocationID.xy;
    const uint channel = gl_WorkGroupID.z;
    if (any(greaterThanEqual(4u * block, push.size))) {
        return;
    }
    int values[16];
    [[unroll]] for (uint i = 0u; i < 16u; i++) {
        values[i] = int(fetch_fine(block, i, channel) + 512u >> 10); // dither would cost more than it gains
    }
    target.blocks[gl_NumWorkGroups.z * block_index(block) + channel] = encode_bc4(values);
}
