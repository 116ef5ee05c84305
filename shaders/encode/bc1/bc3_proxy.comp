// SPDX-License-Identifier: MIT
// Encodes an image as BC3, as bc3.comp does, and writes its proxy.
//
// An invocation encodes half a block of 4x4 texels: z is 0 for A and 1 for RGB, which writes the
// texel of the proxy too. Requires shaderStorageImageWriteWithoutFormat. Defined by
// tests/ref/bc4.c, bc1.c and proxy.c.
#version 460
#extension GL_GOOGLE_include_directive : require

#define PROXY
#include "encode/bc1/bc3_kernel.glsl"
