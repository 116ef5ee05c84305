// SPDX-License-Identifier: MIT
// A pass of Lloyd's iteration ("Least squares quantization in PCM", 1982): finds the mean that is
// nearest to each point, and sums up the points of each.
//
// An invocation takes every NUM_INVOCATIONS-th point. A workgroup is 256 invocations, which add to
// sums of their own, and then those to all, and find the farthest of their points where rare
// colours are kept. 16 KiB of shared memory. Sums are integers, so their order does not matter.

#include "palette/each.glsl"
#include "palette/means.glsl"

layout(constant_id = WEIR_PALETTE_CONSTANT_FREQUENCY) const bool FREQUENCY = false;

const uint NUM_WORDS = WEIR_PALETTE_MAX_MEANS * NUM_SUM_WORDS;

shared uint own_sums[NUM_WORDS];

void add_own(uint word, uint64_t value)
{
    const uint low = uint(value);
    const uint before = low != 0u ? atomicAdd(own_sums[word], low) : 0u;
    const uint high = uint(value >> 32) + (before + low < before ? 1u : 0u);
    if (high != 0u) {
        atomicAdd(own_sums[word + 1u], high);
    }
}

// Add a point. Squares are needed where clusters are split next.
void add(uint cluster, uvec3 point, uint weight, bool with_squares)
{
    const uint word = NUM_SUM_WORDS * cluster;
    add_own(word, uint64_t(weight));
    for (uint c = 0u; c < 3u; c++) {
        const uint64_t sum = uint64_t(weight) * point[c];
        add_own(word + 2u + 2u * c, sum);
        if (with_squares) {
            add_own(word + 8u + 2u * c, sum * point[c]);
        }
    }
}

void add_to_all(uint word)
{
    const uint low = own_sums[word], high = own_sums[word + 1u];
    const uint before = low != 0u ? atomicAdd(means.sums[word], low) : 0u;
    const uint more = high + (before + low < before ? 1u : 0u);
    if (more != 0u) {
        atomicAdd(means.sums[word + 1u], more);
    }
}

shared uint64_t farthest[WEIR_PALETTE_GROUP_SIZE];

// Note the workgroup's farthest point: partials, of which k-means uses only `l`.
void note_farthest(uint64_t mine)
{
    farthest[gl_LocalInvocationIndex] = mine;
    barrier();
    for (uint half_size = WEIR_PALETTE_GROUP_SIZE / 2u; half_size > 0u; half_size >>= 1) {
        if (gl_LocalInvocationIndex < half_size) {
            farthest[gl_LocalInvocationIndex] =
                max(farthest[gl_LocalInvocationIndex],
                    farthest[gl_LocalInvocationIndex + half_size]);
        }
        barrier();
    }
    if (gl_LocalInvocationIndex == 0u) {
        partials[gl_WorkGroupID.x].l = farthest[0];
    }
}

void main()
{
    const uint phase = means.phase, num = means.num;
    if (gl_LocalInvocationIndex == 0u) {
        partials[gl_WorkGroupID.x].l = uint64_t(0);
    }
    if (phase == PHASE_DONE || gl_WorkGroupID.x * WEIR_PALETTE_GROUP_SIZE >= control.num_points) {
        return;
    }
    const uint num_words = NUM_SUM_WORDS * num;
    for (uint i = gl_LocalInvocationIndex; i < num_words; i += WEIR_PALETTE_GROUP_SIZE) {
        own_sums[i] = 0u;
    }
    barrier();
    const bool with_squares = phase < PHASE_FINAL && means.num_passes + 1u == passes_of(phase);
    uint64_t far = 0;
    for (uint i = gl_GlobalInvocationID.x; i < control.num_points; i += NUM_INVOCATIONS) {
        const uvec3 point = unpack_mean(points[i]);
        const uint best = nearest_mean(point, num);
        add(best, point, FREQUENCY ? counts[i] : 1u, with_squares);
        // Of points that are as far the one of the least colour, so that their order does not
        // matter.
        const uint distance = squared_distance(point, means.points[best].xyz);
        far = max(far, uint64_t(distance) << 32 | uint64_t(~colors[i]));
    }
    barrier();
    for (uint i = 2u * gl_LocalInvocationIndex; i < num_words; i += 2u * WEIR_PALETTE_GROUP_SIZE) {
        add_to_all(i);
    }
    if (phase == PHASE_KEEPING) {
        note_farthest(far);
    }
}
