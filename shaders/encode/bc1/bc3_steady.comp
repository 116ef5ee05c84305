// SPDX-License-Identifier: MIT
// Encodes an image as BC3, as bc3.comp does, and keeps what costs little of the blocks of the frame
// before: of A and of RGB apart.
//
// An invocation encodes half a block of 4x4 texels: z is 0 for A and 1 for RGB. It reads and then
// writes that half's place in the history, which no other one uses. Requires nothing beyond
// Vulkan 1.2. Defined by tests/ref/bc4_steady.c and bc1_steady.c.
#version 460
#extension GL_GOOGLE_include_directive : require

#define STEADY
#include "encode/bc1/bc3_kernel.glsl"
