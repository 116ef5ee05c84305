// SPDX-License-Identifier: MIT
// Encodes an image as BC6H, unsigned, blocks in rows from the top left.
//
// An invocation encodes one block of 4x4 texels. A workgroup is 4x8 blocks. No shared memory.
// Requires nothing beyond Vulkan 1.2. Defined by tests/ref/bc6h.c; see there for the papers.
#version 460
#extension GL_GOOGLE_include_directive : require

const bool IS_SIGNED = false;

#include "encode/bc6h/kernel.glsl"
