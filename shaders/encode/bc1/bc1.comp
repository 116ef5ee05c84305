// SPDX-License-Identifier: MIT
// Encodes an image as BC1, opaque or with an alpha of one bit, blocks in rows from the top left.
//
// An invocation encodes one block of 4x4 texels. A workgroup is 4x8 blocks. No shared memory.
// Requires nothing beyond Vulkan 1.2. Defined by tests/ref/bc1.c; see there for the papers.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_samplerless_texture_functions : require

#include "encode/texture.glsl"

layout(constant_id = WEIR_ENCODE_CONSTANT_BC1_MODE) const uint BC1_MODE = WEIR_ENCODE_BC1_OPAQUE;

#include "encode/bc1/bc1.glsl"
#include "encode/bc1/dither.glsl"

void main()
{
    const uvec2 block = gl_GlobalInvocationID.xy;
    if (any(greaterThanEqual(4u * block, push.size))) {
        return;
    }
    vec3 rgb[16];
    uint transparent = 0u; // a bit a texel
    [[unroll]] for (uint i = 0u; i < 16u; i++) {
        const vec4 codes = fetch_dithered(block, i);
        rgb[i] = codes.rgb;
        transparent |= uint(codes.a < 128.0) << i;
    }
    // A constant where there is no alpha, so that the compiler folds all that depends on it.
    destination.blocks[block_index(block)] = encode_bc1(
        rgb, BC1_MODE == WEIR_ENCODE_BC1_ALPHA ? transparent : 0u);
}
