// SPDX-License-Identifier: MIT
// Makes the whole chain of any size in one dispatch, for GPUs, from texels that are read as words:
// shaders/pyramid/single.glsl and words.glsl.
//
// A workgroup of 256 invocations makes a tile, and further tiles whose input it completes. z is the
// layer. Shared memory: 10,692 bytes. Requires shaderStorageImageWriteWithoutFormat, dynamic
// indexing of storage images and shuffles among full subgroups of SUBGROUP_SIZE. Defined by
// tests/ref/pyramid.c.
#version 460
#extension GL_GOOGLE_include_directive : require

#define WORDS
#define SHUFFLE
#define INDEXED
#include "pyramid/single_kernel.glsl"
