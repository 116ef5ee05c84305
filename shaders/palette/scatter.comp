// SPDX-License-Identifier: MIT
// Sorts points by cell, and sets the end of each trajectory to its start, where it is until a
// dispatch moves it.
//
// An invocation takes every NUM_INVOCATIONS-th colour. A workgroup is 256 invocations. No shared
// memory.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require

#include "palette/constants.h"

layout(local_size_x = WEIR_PALETTE_GROUP_SIZE) in;

#include "palette/memory.glsl"

layout(constant_id = WEIR_PALETTE_CONSTANT_FREQUENCY) const bool FREQUENCY = false;

void main()
{
    for (uint i = gl_GlobalInvocationID.x; i < control.num_points; i += NUM_INVOCATIONS) {
        const uint place = cells[uint(sums[i].a)] + uint(sums[i].a >> 32);
        points[place] = sums[i].l;
        ends[place] = sums[i].l;
        order[place] = colors[i];
        if (FREQUENCY) {
            weights[place] = counts[i];
        }
    }
}
