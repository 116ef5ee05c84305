// SPDX-License-Identifier: MIT
// Begins k-means: with one cluster of all colours, or with all colours where the palette has room.
//
// An invocation takes a cluster. One workgroup of 256. No shared memory.

#include "palette/constants.h"

layout(local_size_x = WEIR_PALETTE_MAX_MEANS) in;

#include "palette/memory.glsl"
#include "palette/means.glsl"

void main()
{
    const uint k = gl_LocalInvocationIndex;
    const bool overflows = control.num_colors > push.max_colors;
    const uint num_points = overflows ? 0u : control.num_colors;
    const bool is_whole = num_points <= push.num_means;
    means.points[k] = is_whole && k < num_points ? uvec4(0u, 0u, 0u, colors[k]) : uvec4(0u);
    for (uint i = 0u; i < NUM_SUM_WORDS; i++) {
        means.sums[NUM_SUM_WORDS * k + i] = 0u;
    }
    if (k == 0u) {
        control.overflow = overflows ? 1u : 0u;
        control.num_points = num_points;
        means.num = is_whole ? num_points : 1u;
        means.phase = is_whole ? PHASE_DONE : PHASE_GROWING;
        means.num_passes = 0u;
        means.num_moves = 0u;
        means.num_kept = 0u;
        means.is_whole = is_whole ? 1u : 0u;
        control.num_unfinished = num_left(means.num, means.phase);
    }
}
