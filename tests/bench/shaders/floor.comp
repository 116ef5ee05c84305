// SPDX-License-Identifier: MIT
// The floor of weir-bench encode: the least that any encoder of blocks must do with an image.
//
// A workgroup covers WIDTH x HEIGHT blocks of 4x4 texels, reads each of their texels once, and
// writes BLOCK_SIZE bytes a block, 8 or 16, that depend on what was read. An invocation reads the
// 16 texels of its own block, as an encoder does, or, with IN_ROWS, as many that lie beside those
// of the next invocation in rows of the workgroup's area, as no encoder can use them. It reads them
// by texelFetch, or, with GATHER, 2x2 at once by gathers of a view whose texels are one word or two
// (WORDS), which the image must allow (MUTABLE_FORMAT). The bench takes the fastest of a few. No
// shared memory. Requires nothing beyond Vulkan 1.2.
#version 460
#extension GL_EXT_samplerless_texture_functions : require

layout(local_size_x_id = 0, local_size_y_id = 1) in;

layout(constant_id = 2) const bool IN_ROWS = false;
layout(constant_id = 3) const uint BLOCK_SIZE = 16u;
layout(constant_id = 4) const bool GATHER = false;
layout(constant_id = 5) const uint WORDS = 1u;

layout(set = 0, binding = 0) uniform texture2D source;
layout(set = 0, binding = 1, std430) writeonly buffer Target16 { uvec4 blocks[]; } target16;
layout(set = 0, binding = 1, std430) writeonly buffer Target8 { uvec2 blocks[]; } target8;
layout(set = 0, binding = 2) uniform utexture2D words;
layout(set = 0, binding = 3) uniform sampler nearest; // repeats the edge

layout(push_constant) uniform Push {
    uvec2 size;          // of the source [texels]
    uint blocks_per_row; // of the target
} push;

// Get the place of the i-th square of `side` texels that this invocation reads [squares].
uvec2 place_of(uint i, uint side)
{
    const uint across = 4u / side; // squares of a block
    const uint width = across * gl_WorkGroupSize.x;
    const uint index = i * gl_WorkGroupSize.x * gl_WorkGroupSize.y + gl_LocalInvocationIndex;
    return IN_ROWS ? gl_WorkGroupID.xy * across * gl_WorkGroupSize.xy +
                         uvec2(index % width, index / width)
                   : across * gl_GlobalInvocationID.xy + uvec2(i % across, i / across);
}

uvec4 fetched()
{
    uvec4 bits = uvec4(0u);
    for (uint i = 0u; i < 16u; i++) {
        const uvec2 position = min(place_of(i, 1u), push.size - 1u);
        bits ^= floatBitsToUint(texelFetch(source, ivec2(position), 0));
    }
    return bits;
}

uvec4 gathered()
{
    uvec4 bits = uvec4(0u);
    for (uint i = 0u; i < 4u; i++) {
        const vec2 corner = vec2(2u * place_of(i, 2u) + 1u) / vec2(push.size);
        bits ^= textureGather(usampler2D(words, nearest), corner, 0);
        if (WORDS > 1u)
            bits ^= textureGather(usampler2D(words, nearest), corner, 1);
    }
    return bits;
}

void main()
{
    const uvec2 block = gl_GlobalInvocationID.xy;
    const uvec4 bits = GATHER ? gathered() : fetched();
    if (all(lessThan(4u * block, push.size))) {
        const uint index = block.y * push.blocks_per_row + block.x;
        if (BLOCK_SIZE == 8u)
            target8.blocks[index] = bits.xy ^ bits.zw;
        else
            target16.blocks[index] = bits;
    }
}
