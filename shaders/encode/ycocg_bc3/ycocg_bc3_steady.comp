// SPDX-License-Identifier: MIT
// Encodes an image as scaled YCoCg in BC3, as ycocg_bc3.comp does, and keeps what costs little of
// the blocks of the frame before.
//
// An invocation encodes one block of 4x4 texels, and reads and then writes that block's place in
// the history, which no other one uses. Requires nothing beyond Vulkan 1.2. Defined by
// tests/ref/ycocg_bc3.c and ycocg_bc3_steady.c.
#version 460
#extension GL_GOOGLE_include_directive : require

#define STEADY
#include "encode/ycocg_bc3/kernel.glsl"
