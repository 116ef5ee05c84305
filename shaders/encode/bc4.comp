// SPDX-License-Identifier: MIT
// Encodes R of an image as BC4, or R and G as BC5, blocks in rows from the top left.
//
// An invocation encodes one block of 4x4 texels of one channel: z is the channel. A workgroup is 4x8 blocks. No
// shared memory. Requires nothing beyond Vulkan 1.2. Defined by tests/ref/bc4.c; see there for the paper.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_samplerless_texture_functions : require

layout(local_size_x = 4, local_size_y = 8) in;

const uint LEVEL_DEFAULT = 0u; // enum weir_level
const uint LEVEL_FAST = 1u;
const uint LEVEL_HIGH = 2u;

layout(constant_id = 0) const uint SOURCE_KIND = 0u;
layout(constant_id = 2) const bool DITHER = true;
layout(constant_id = 3) const uint LEVEL = LEVEL_DEFAULT;

layout(set = 0, binding = 0) uniform texture2D source;
layout(set = 1, binding = 0, std430) writeonly buffer Target { uvec2 blocks[]; } target;

layout(push_constant) uniform Push {
    uvec2 size;          // of the source [texels]
    uint blocks_per_row; // of the target
    uint first_block;    // index in the target, in blocks of all channels
} push;

#include "color/source.glsl"
#include "encode/bc4.glsl"

void main()
{
    const uvec2 block = gl_GlobalInvocationID.xy;
    const uint channel = gl_WorkGroupID.z;
    const uvec2 first = 4u * block;
    if (any(greaterThanEqual(first, push.size))) {
        return;
    }
    int values[16];
    [[unroll]] for (uint i = 0u; i < 16u; i++) {
        // Edge texels repeat in blocks that reach over the edge.
        const uvec2 position = min(first + uvec2(i & 3u, i >> 2), push.size - 1u);
        values[i] = int(source_codes(texelFetch(source, ivec2(position), 0).rgb, position)[channel]);
    }
    const uint index = push.first_block + block.y * push.blocks_per_row + block.x;
    target.blocks[gl_NumWorkGroups.z * index + channel] = encode_bc4(values);
}
