// SPDX-License-Identifier: MIT
// Encodes an image as BC6H, signed, blocks in rows from the top left.
//
// An invocation encodes one block of 4x4 texels. A workgroup is 4x8 blocks. No shared memory.
// Requires nothing beyond Vulkan 1.2. Defined by tests/ref/bc6h.c; see there for the papers.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_samplerless_texture_functions : require

const bool IS_SIGNED = true;

#include "encode/texture.glsl"
#include "encode/halves.glsl"
#include "encode/bc6h/bc6h.glsl"

void main()
{
    const uvec2 block = gl_GlobalInvocationID.xy;
    if (any(greaterThanEqual(4u * block, push.size))) {
        return;
    }
    [[unroll]] for (uint i = 0u; i < 16u; i++) {
        values[i] = value_of_half(fetch_halves(block, i, IS_SIGNED));
    }
    const uvec4 words = encode_bc6h();
    destination.blocks[2u * block_index(block)] = words.xy;
    destination.blocks[2u * block_index(block) + 1u] = words.zw;
}
