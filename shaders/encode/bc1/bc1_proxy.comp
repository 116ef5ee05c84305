// SPDX-License-Identifier: MIT
// Encodes an image as BC1, as bc1.comp does, and writes its proxy.
//
// An invocation encodes one block of 4x4 texels, and writes the texel of the proxy that is their
// mean. Requires shaderStorageImageWriteWithoutFormat. Defined by tests/ref/bc1.c and proxy.c.
#version 460
#extension GL_GOOGLE_include_directive : require

#define PROXY
#include "encode/bc1/bc1_kernel.glsl"
