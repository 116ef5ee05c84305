// SPDX-License-Identifier: MIT
// The whole chain of any size in one dispatch: shaders/pyramid/single.glsl.
//
// A workgroup of 256 invocations makes a tile, and more where it is the last to arrive; a layer a
// z.
// Shared memory: 10,692 bytes. Requires shaderStorageImageWriteWithoutFormat. Defined by
// tests/ref/pyramid.c.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "pyramid/single_kernel.glsl"
