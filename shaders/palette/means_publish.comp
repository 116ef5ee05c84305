// SPDX-License-Identifier: MIT
// Gives every colour the nearest of the palette of k-means, and counts those that are in use.
//
// An invocation takes every NUM_INVOCATIONS-th colour. A workgroup is 256 invocations. No shared
// memory. Defined by tests/ref/palette_means.c.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require

#include "palette/constants.h"

layout(local_size_x = WEIR_PALETTE_GROUP_SIZE) in;

#include "palette/memory.glsl"
#include "palette/means.glsl"
#include "palette/new_color.glsl"

void main()
{
    for (uint i = gl_GlobalInvocationID.x; i < control.num_points; i += NUM_INVOCATIONS) {
        const uint best = nearest_mean(unpack_mean(points[i]), means.num);
        const uint color = means.is_whole != 0u ? colors[i] : means.points[best].w;
        bins[colors[i]] = color;
        count_new_color(color);
    }
}
