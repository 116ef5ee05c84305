// SPDX-License-Identifier: MIT
// The floor of weir bench encode: the least that any encoder of 16-byte blocks must do with an image.
//
// An invocation reads the 4x4 texels of one block, each once, by texelFetch as the encoder does, and
// writes 16 bytes that depend on all of them. A workgroup is WIDTH x HEIGHT blocks; the bench takes the
// fastest of a few shapes. No shared memory. Requires nothing beyond Vulkan 1.2.
#version 460
#extension GL_EXT_samplerless_texture_functions : require

layout(local_size_x_id = 0, local_size_y_id = 1) in;

layout(set = 0, binding = 0) uniform texture2D source;
layout(set = 0, binding = 1, std430) writeonly buffer Target { uvec4 blocks[]; } target;

layout(push_constant) uniform Push {
    uvec2 size;          // of the source [texels]
    uint blocks_per_row; // of the target
} push;

void main()
{
    uvec2 block = gl_GlobalInvocationID.xy;
    uvec2 first = 4u * block;
    if (any(greaterThanEqual(first, push.size))) {
        return;
    }
    uvec4 bits = uvec4(0u);
    for (uint i = 0u; i < 16u; i++) {
        uvec2 position = min(first + uvec2(i & 3u, i >> 2), push.size - 1u);
        bits ^= floatBitsToUint(texelFetch(source, ivec2(position), 0));
    }
    target.blocks[block.y * push.blocks_per_row + block.x] = bits;
}
