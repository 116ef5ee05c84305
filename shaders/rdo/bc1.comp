// SPDX-License-Identifier: MIT
// Rate-distortion optimisation of BC1: see rdo/halves.glsl.
//
// A workgroup does a tile of 32x32 blocks, see rdo/tile.glsl. Requires nothing beyond Vulkan 1.2.
#version 460
#extension GL_GOOGLE_include_directive : require

#define WORDS uvec2
const uint BLOCK_SIZE = 8u;
#include "rdo/interface.glsl"

const bool BC4_ALPHA = false;
const ivec4 FIRST = ivec4(1, 1, 1, 0);
const ivec4 SECOND = ivec4(0);

#include "rdo/bc1.glsl"

uvec4 decoded_codes(uvec2 words, uint t)
{
    return uvec4(bc1_codes(words, t, false), 0u);
}

#include "rdo/halves.glsl"
