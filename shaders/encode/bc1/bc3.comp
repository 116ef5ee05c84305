// SPDX-License-Identifier: MIT
// Encodes an image as BC3: A as BC4, RGB as BC1, blocks in rows from the top left.
//
// An invocation encodes half a block of 4x4 texels: z is 0 for A and 1 for RGB. A workgroup is 4x8
// blocks. No shared memory. Requires nothing beyond Vulkan 1.2. Defined by tests/ref/bc4.c and
// tests/ref/bc1.c; see there for the papers.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "encode/bc1/bc3_kernel.glsl"
