// SPDX-License-Identifier: MIT
// Encodes an image as scaled YCoCg in BC3, blocks in rows from the top left.
//
// An invocation encodes one block of 4x4 texels. A workgroup is 4x8 blocks, because all its fetches
// of one step then fall into few cache lines: on an H200 this is 4 to 8 % faster than 8 or more
// blocks side by side. Requires nothing beyond Vulkan 1.2. Defined by tests/ref/ycocg_bc3.c;
// ycocg_bc3.glsl names the paper.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "encode/ycocg_bc3/kernel.glsl"
