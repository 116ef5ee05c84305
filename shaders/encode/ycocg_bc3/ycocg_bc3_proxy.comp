// SPDX-License-Identifier: MIT
// Encodes an image as scaled YCoCg in BC3, as ycocg_bc3.comp does, and writes its proxy.
//
// An invocation encodes one block of 4x4 texels, and writes the texel of the proxy that is their
// mean. Requires shaderStorageImageWriteWithoutFormat. Defined by tests/ref/ycocg_bc3.c and
// proxy.c.
#version 460
#extension GL_GOOGLE_include_directive : require

#define PROXY
#include "encode/ycocg_bc3/kernel.glsl"
