// SPDX-License-Identifier: MIT
// Turns colours into the points of k-means.
//
// Over colours: palette/each.glsl. No shared memory.

#include "palette/each.glsl"
#include "palette/lattice.glsl"
#include "palette/means.glsl"
#include "palette/means_points.glsl"

void main()
{
    const uint num_colors = control.num_colors <= push.max_colors ? control.num_colors : 0u;
    for (uint i = gl_GlobalInvocationID.x; i < num_colors; i += NUM_INVOCATIONS) {
        points[i] = pack_mean(mean_of_color(colors[i]));
    }
}
