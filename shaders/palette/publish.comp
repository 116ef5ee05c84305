// SPDX-License-Identifier: MIT
// Gives every colour its new one, and counts how many new ones there are.
//
// An invocation takes every NUM_INVOCATIONS-th point. A workgroup is 256 invocations. No shared
// memory. Defined by tests/ref/palette.c.

#include "palette/constants.h"

layout(local_size_x = WEIR_PALETTE_GROUP_SIZE) in;

#include "palette/memory.glsl"
#include "palette/lattice.glsl"
#include "palette/ends.glsl"
#include "palette/new_color.glsl"

void main()
{
    for (uint i = gl_GlobalInvocationID.x; i < control.num_points; i += NUM_INVOCATIONS) {
        const uint color = color_of(point_of_end(ends[i]));
        bins[order[i]] = color;
        count_new_color(color);
    }
}
