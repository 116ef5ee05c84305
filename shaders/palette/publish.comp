// SPDX-License-Identifier: MIT
// Gives every colour its new one, and counts how many new ones there are.
//
// Over points: palette/each.glsl. No shared memory. Defined by tests/ref/palette.c.

#include "palette/each.glsl"
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
