// SPDX-License-Identifier: MIT
// Makes 1 to 6 levels of a base whose sides divide by 2 once for each level, by shuffles:
// shaders/pyramid/fast.glsl.
//
// An invocation makes a texel of level 1, or, if there are 6 levels, four of them and one of level
// 2. A subgroup makes a run of texels in Morton order, a workgroup of 256 invocations 16x16. z is
// the layer. Shared memory: 320 bytes, or 1,344 if subgroups have less than 16 invocations.
// Requires shaderStorageImageWriteWithoutFormat, shuffles, and full subgroups of SUBGROUP_SIZE.
// Defined by tests/ref/pyramid.c.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "pyramid/interface.glsl"
#include "pyramid/reduction.glsl"
#include "pyramid/taps.glsl"
#include "pyramid/base.glsl"
#include "pyramid/even.glsl"
#include "pyramid/fast.glsl"
