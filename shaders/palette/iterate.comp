// SPDX-License-Identifier: MIT
// Moves trajectories on, step after step, until each stays, meets the way of another, or has to
// wait for the next dispatch.
//
// A subgroup follows one trajectory at a time: the lanes look at a column of the grid each, then at
// points. It takes pieces of work from a counter, first what the last dispatch has left, until the
// time of the dispatch is spent. A workgroup is 128 invocations. 2 KiB of shared memory. Requires
// 64-bit integers, subgroup arithmetic and ballots; to merge, 64-bit atomics. Defined by
// tests/ref/palette.c; docs/palette.md has the method.
#version 460
#extension GL_GOOGLE_include_directive : require

#define MERGES
#extension GL_EXT_shader_atomic_int64 : require
#include "palette/iterate.glsl"
