// SPDX-License-Identifier: MIT
// Makes the chains of a batch of images in one dispatch: shaders/pyramid/single.glsl.
//
// A workgroup of 256 invocations makes a tile, and further tiles whose input it completes. z counts
// the layers of all images. Shared memory: 10,692 bytes. Requires
// shaderStorageImageWriteWithoutFormat and dynamic indexing of storage and sampled images. Defined
// by tests/ref/pyramid.c.
#version 460
#extension GL_GOOGLE_include_directive : require

#define BATCH
#include "pyramid/single_kernel.glsl"
