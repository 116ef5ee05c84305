// SPDX-License-Identifier: MIT
// As iterate.comp, but every trajectory goes to its own end: where there are no 64-bit atomics, or
// a limit of steps.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "palette/iterate.glsl"
