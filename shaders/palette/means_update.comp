// SPDX-License-Identifier: MIT
// Ends a pass of k-means: every mean moves to the mean of its points. After some passes clusters
// are split, where there are to be more, or given up for others to be split, as in B. Fritzke's
// LBG-U (1997); and at the end for colours that are far from all.
//
// An invocation takes a cluster. One workgroup of 256. 15 KiB of shared memory.

#include "palette/constants.h"

layout(local_size_x = WEIR_PALETTE_MAX_MEANS) in;

#include "palette/memory.glsl"
#include "palette/lattice.glsl"
#include "palette/means.glsl"
#include "palette/means_points.glsl"
#include "palette/means_clusters.glsl"

shared uint has_moved;

// Move a mean to that of its points. One without points stays where it is.
void move(uint k)
{
    const uint64_t weight = sum_of(k, 0u);
    const uvec4 old = means.points[k];
    uvec4 center = old;
    for (uint c = 0u; c < 3u && weight > 0; c++) {
        center[c] = uint((2 * sum_of(k, 1u + c) + weight) / (2 * weight));
    }
    centers[k] = center;
    cluster_weights[k] = uint(min(weight, uint64_t(0xffffffffu)));
    if (center != old) {
        atomicOr(has_moved, 1u);
    }
}

// Where a pass leads: the next phase, and how many clusters there are then.
struct Next {
    uint phase, num, num_passes, num_moves;
};

// Get the farthest of all points: the square of its distance, and the complement of its colour.
uint64_t find_farthest()
{
    const uint k = gl_LocalInvocationIndex;
    uint64_t far = 0;
    for (uint i = k; i < NUM_GROUPS; i += WEIR_PALETTE_MAX_MEANS) {
        far = max(far, partials[i].l);
    }
    variances[k] = far;
    barrier();
    for (uint i = 0u; i < WEIR_PALETTE_MAX_MEANS; i++) {
        far = max(far, variances[i]);
    }
    return far;
}

// The palette is good for most pixels. Colours that are far from it get a place, one a pass.
Next keep_rare(Next same)
{
    const uint64_t far = find_farthest();
    if (uint(far >> 32) <= FAR_SQUARED || means.num_kept == push.max_kept) {
        return Next(PHASE_DONE, same.num, same.num_passes, same.num_moves);
    }
    keep(mean_of_color(~uint(far)));
    return same;
}

// Clusters no longer move, and are as many as they can be.
Next move_clusters(uint num_moves)
{
    const bool moves = num_moves < WEIR_PALETTE_NUM_MOVES && relocate();
    return Next(moves ? PHASE_MOVING : PHASE_FINAL, means.num, 0u,
                moves ? num_moves + 1u : num_moves);
}

Next next_of(uint phase, uint num_passes)
{
    const Next same = Next(phase, means.num, num_passes, means.num_moves);
    if (phase == PHASE_KEEPING) {
        return keep_rare(same);
    }
    if (phase == PHASE_FINAL) {
        const bool is_done = has_moved == 0u || num_passes == WEIR_PALETTE_FINAL_PASSES;
        const uint after = push.max_kept > 0u ? PHASE_KEEPING : PHASE_DONE;
        return Next(is_done ? after : phase, same.num, num_passes, same.num_moves);
    }
    if (num_passes < passes_of(phase)) {
        return same;
    }
    if (gl_LocalInvocationIndex < means.num) {
        find_variance(gl_LocalInvocationIndex);
    }
    barrier();
    if (phase == PHASE_GROWING && means.num < push.num_means && grow()) {
        return Next(phase, num_clusters, 0u, 0u);
    }
    return move_clusters(means.num_moves);
}

void main()
{
    const uint k = gl_LocalInvocationIndex;
    const uint phase = means.phase;
    if (phase == PHASE_DONE) {
        return;
    }
    has_moved = 0u;
    barrier();
    if (k < means.num) {
        move(k);
    }
    barrier();
    const Next next = next_of(phase, means.num_passes + 1u);
    barrier(); // before what was read is written
    if (k < next.num) {
        means.points[k] = centers[k];
    }
    for (uint i = 0u; i < NUM_SUM_WORDS; i++) {
        means.sums[NUM_SUM_WORDS * k + i] = 0u;
    }
    if (k == 0u) {
        means.num = next.num;
        means.phase = next.phase;
        means.num_passes = next.num_passes;
        means.num_moves = next.num_moves;
        means.num_kept += phase == PHASE_KEEPING ? 1u : 0u;
        control.num_unfinished = num_left(next.num, next.phase);
    }
}
