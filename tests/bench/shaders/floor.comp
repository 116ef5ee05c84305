// SPDX-License-Identifier: MIT
// The floor of weir-bench encode: the least that any encoder of blocks must do with an image.
//
// A workgroup covers WIDTH x HEIGHT blocks of 4x4 texels, reads each of their texels once by
// texelFetch, and writes BLOCK_SIZE bytes a block, 8 or 16, that depend on what was read. An
// invocation reads the 16 texels of its own block, as the encoder does, or, where ROWS is set, 16
// texels that lie beside those of the next invocation in rows of the workgroup's area: no encoder
// can use them like that, and none can read faster. The bench takes the fastest of a few shapes. No
// shared memory. Requires nothing beyond Vulkan 1.2.
#version 460
#extension GL_EXT_samplerless_texture_functions : require

layout(local_size_x_id = 0, local_size_y_id = 1) in;

layout(constant_id = 2) const bool ROWS = false;
layout(constant_id = 3) const uint BLOCK_SIZE = 16u;

layout(set = 0, binding = 0) uniform texture2D source;
layout(set = 0, binding = 1, std430) writeonly buffer Target16 { uvec4 blocks[]; } target16;
layout(set = 0, binding = 1, std430) writeonly buffer Target8 { uvec2 blocks[]; } target8;

layout(push_constant) uniform Push {
    uvec2 size;          // of the source [texels]
    uint blocks_per_row; // of the target
} push;

void main()
{
    uvec2 block = gl_GlobalInvocationID.xy;
    uvec2 last = push.size - 1u;
    uvec4 bits = uvec4(0u);
    uint width = 4u * gl_WorkGroupSize.x;
    uvec2 area = gl_WorkGroupID.xy * 4u * gl_WorkGroupSize.xy;
    for (uint i = 0u; i < 16u; i++) {
        uint texel = i * gl_WorkGroupSize.x * gl_WorkGroupSize.y + gl_LocalInvocationIndex;
        uvec2 position = ROWS ? area + uvec2(texel % width, texel / width)
                              : 4u * block + uvec2(i & 3u, i >> 2);
        bits ^= floatBitsToUint(texelFetch(source, ivec2(min(position, last)), 0));
    }
    if (all(lessThan(4u * block, push.size))) {
        uint index = block.y * push.blocks_per_row + block.x;
        if (BLOCK_SIZE == 8u) {
            target8.blocks[index] = bits.xy ^ bits.zw;
        } else {
            target16.blocks[index] = bits;
        }
    }
}
