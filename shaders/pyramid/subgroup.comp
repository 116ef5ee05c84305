// SPDX-License-Identifier: MIT
// 1 to 5 levels of sides that divide by 2 as often, by square subgroups:
// shaders/pyramid/subgroup.glsl.
//
// An invocation makes a texel of level 1; a subgroup a square of them or two; a workgroup of 256
// invocations 16x16; a layer a z. Shared memory: 320 bytes, with subgroups of less than 16
// invocations 1,344. Requires shaderStorageImageWriteWithoutFormat, shuffles, and full subgroups of
// SUBGROUP_SIZE. Defined by tests/ref/pyramid.c.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "pyramid/interface.glsl"
#include "pyramid/reduction.glsl"
#include "pyramid/taps.glsl"
#include "pyramid/base.glsl"
#include "pyramid/even.glsl"
#include "pyramid/subgroup.glsl"
