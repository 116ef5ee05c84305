// SPDX-License-Identifier: MIT
// Does what iterate.comp does, but trajectories do not merge: for devices without 64-bit atomics,
// for runs with a limit of steps, and for weir_palette_params.no_merge.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "palette/iterate.glsl"
