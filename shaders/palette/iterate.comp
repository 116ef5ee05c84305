// SPDX-License-Identifier: MIT
// Moves trajectories on, step after step, until each stays, meets the way of another, or has to
// wait for the next dispatch.
//
// A subgroup follows one trajectory at a time: each lane looks at a column of the grid, and then
// tests points. A subgroup takes trajectories by a counter, those first that the last dispatch has
// left, until the dispatch has done its limit of work. A workgroup is 128 invocations. 2 KiB of
// shared memory. Requires 64-bit integers, 64-bit atomics, subgroup arithmetic and ballots. Defined
// by tests/ref/palette.c; docs/palette.md describes the method.
#version 460
#extension GL_GOOGLE_include_directive : require

#define MERGES
#extension GL_EXT_shader_atomic_int64 : require
#include "palette/iterate.glsl"
