// SPDX-License-Identifier: MIT
// Encodes R or A of an image as BC4, as bc4.comp does, and keeps what costs little of the blocks of
// the frame before.
//
// An invocation encodes one block of 4x4 texels, and reads and then writes that block's place in
// the history, which no other one uses. Requires nothing beyond Vulkan 1.2. Defined by
// tests/ref/bc4.c and bc4_steady.c.
#version 460
#extension GL_GOOGLE_include_directive : require

#define STEADY
const uint NUM_CHANNELS = 1u;
#include "encode/bc4/kernel.glsl"
