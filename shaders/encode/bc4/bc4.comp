// SPDX-License-Identifier: MIT
// Encodes R or A of an image as BC4, blocks in rows from the top left.
//
// An invocation encodes one block of 4x4 texels. A workgroup is 4x8 blocks. No shared memory.
// Requires nothing beyond Vulkan 1.2. Defined by tests/ref/bc4.c; see there for the paper.
#version 460
#extension GL_GOOGLE_include_directive : require

const uint NUM_CHANNELS = 1u;
#include "encode/bc4/kernel.glsl"
