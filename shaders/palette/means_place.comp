// SPDX-License-Identifier: MIT
// Turns colours into the points of k-means.
//
// An invocation takes every NUM_INVOCATIONS-th colour. A workgroup is 256 invocations. No shared
// memory.

#include "palette/constants.h"

layout(local_size_x = WEIR_PALETTE_GROUP_SIZE) in;

#include "palette/memory.glsl"
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
