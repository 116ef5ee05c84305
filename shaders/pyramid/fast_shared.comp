// SPDX-License-Identifier: MIT
// 1 to 6 levels of sides that divide by 2 as often, without subgroups: shaders/pyramid/fast.glsl.
//
// An invocation makes a texel of level 1, of 6 levels four of them and one of level 2; a workgroup
// of 256 invocations 16x16; a layer a z. Shared memory: 5,440 bytes. Requires
// shaderStorageImageWriteWithoutFormat. Defined by tests/ref/pyramid.c.
#version 460
#extension GL_GOOGLE_include_directive : require

#define NO_SUBGROUPS
#include "pyramid/interface.glsl"
#include "pyramid/reduction.glsl"
#include "pyramid/taps.glsl"
#include "pyramid/base.glsl"
#include "pyramid/even.glsl"
#include "pyramid/fast.glsl"
