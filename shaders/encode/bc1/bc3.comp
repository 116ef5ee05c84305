// SPDX-License-Identifier: MIT
// Encodes an image as BC3: A as BC4, RGB as BC1, blocks in rows from the top left.
//
// An invocation encodes half a block of 4x4 texels: z is 0 for A and 1 for RGB. A workgroup is 4x8
// blocks. No shared memory. Requires nothing beyond Vulkan 1.2. Defined by tests/ref/bc4.c and
// tests/ref/bc1.c; see there for the papers.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_samplerless_texture_functions : require

#include "encode/texture.glsl"

const uint BC1_MODE = WEIR_ENCODE_BC1_OPAQUE; // BC3 has no other

#include "encode/bc1/bc1.glsl"
#include "encode/bc1/dither.glsl"
#include "encode/bc4/bc4.glsl"

void main()
{
    const uvec2 block = gl_GlobalInvocationID.xy;
    const uint part = gl_WorkGroupID.z;
    if (any(greaterThanEqual(4u * block, push.size))) {
        return;
    }
    vec3 rgb[16];
    float alpha[16];
    [[unroll]] for (uint i = 0u; i < 16u; i++) {
        const vec4 codes = fetch_dithered(block, i);
        rgb[i] = codes.rgb;
        alpha[i] = codes.a;
    }
    destination.blocks[2u * block_index(block) + part] = part == 0u ? encode_bc4(alpha)
                                                               : encode_bc1(rgb, 0u);
}
