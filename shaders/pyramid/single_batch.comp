// SPDX-License-Identifier: MIT
// The chains of a batch of images in one dispatch: shaders/pyramid/single.glsl.
//
// A workgroup of 256 invocations makes a tile, and more where it is the last to arrive; a layer
// of an image a z.
// Shared memory: 10,692 bytes. Requires shaderStorageImageWriteWithoutFormat and dynamic
// indexing of storage and sampled images. Defined by tests/ref/pyramid.c.
#version 460
#extension GL_GOOGLE_include_directive : require

#define BATCH
#include "pyramid/single_kernel.glsl"
