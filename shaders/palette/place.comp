// SPDX-License-Identifier: MIT
// Turns colours into points, and finds the box that holds them all.
//
// Over colours: palette/each.glsl. No shared memory. Requires subgroup arithmetic. Defined by
// tests/ref/palette.c.

#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_basic : require

#include "palette/each.glsl"
#include "palette/lattice.glsl"
#include "palette/ends.glsl"

void main()
{
    const uint num_colors = control.num_colors <= push.max_colors ? control.num_colors : 0u;
    uvec3 inverted_low = uvec3(0u), high = uvec3(0u);
    for (uint i = gl_GlobalInvocationID.x; i < num_colors; i += NUM_INVOCATIONS) {
        const ivec3 point = point_of(colors[i]);
        notes[i].end = end_at_point(point);
        inverted_low = max(inverted_low, ~uvec3(point));
        high = max(high, uvec3(point));
    }
    inverted_low = subgroupMax(inverted_low);
    high = subgroupMax(high);
    if (subgroupElect() && inverted_low.x > 0u) {
        for (uint axis = 0u; axis < 3u; axis++) {
            atomicMax(control.inverted_low[axis], inverted_low[axis]);
            atomicMax(control.high[axis], high[axis]);
        }
    }
}
