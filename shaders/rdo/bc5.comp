// SPDX-License-Identifier: MIT
// Rate-distortion optimisation of BC5: see rdo/halves.glsl.
//
// A workgroup does a tile of 32x32 blocks, see rdo/tile.glsl. Requires nothing beyond Vulkan 1.2.
#version 460
#extension GL_GOOGLE_include_directive : require

#define WORDS uvec4
const uint BLOCK_SIZE = 16u;
#include "rdo/interface.glsl"

const bool BC4_ALPHA = false;
const ivec4 FIRST = ivec4(1, 0, 0, 0);
const ivec4 SECOND = ivec4(0, 1, 0, 0);

#include "rdo/bc4.glsl"

uvec4 decoded_codes(uvec4 words, uint t)
{
    return uvec4(bc4_code(words.xy, t), bc4_code(words.zw, t), 0u, 0u);
}

#include "rdo/halves.glsl"
