// SPDX-License-Identifier: MIT
// Makes the whole chain of any size in one dispatch: shaders/pyramid/single.glsl.
//
// A workgroup of 256 invocations makes a tile, and further tiles whose input it completes. z is the
// layer. Shared memory: 10,692 bytes. Requires shaderStorageImageWriteWithoutFormat. Defined by
// tests/ref/pyramid.c.
//
// BATCH: makes the chains of several images; z counts the layers of all of them. Requires dynamic
// indexing of storage and sampled images.
// SHUFFLE: for GPUs. Requires shuffles among full subgroups of SUBGROUP_SIZE.
// INDEXED: writes levels by their index. Requires dynamic indexing of storage images.
// WORDS: reads texels as words (words.glsl).

#include "pyramid/single_kernel.glsl"
