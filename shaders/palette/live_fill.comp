// SPDX-License-Identifier: MIT
// Finds the nearest colour of the palette for each bin of 4x4x4 colours.
//
// A workgroup of 64 invocations has a block of 4x4x4 bins: an invocation looks at every 64th colour
// of the palette, which is kept if it may be the nearest of any bin of the block, and then searches
// those that are kept for one bin. 1 KiB of shared memory. Defined by tests/ref/palette_live.c.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require

#include "palette/constants.h"

const uint BINS = WEIR_PALETTE_LIVE_BLOCK * WEIR_PALETTE_LIVE_BLOCK * WEIR_PALETTE_LIVE_BLOCK;
const uint BLOCKS = WEIR_PALETTE_LIVE_STEPS / WEIR_PALETTE_LIVE_BLOCK; // of an axis

layout(local_size_x = BINS) in;

#include "palette/memory.glsl"
#include "palette/means.glsl"
#define NEAREST_ACCESS writeonly
#include "palette/live.glsl"

const uint NUM_OWN = WEIR_PALETTE_MAX_MEANS / BINS; // colours that an invocation looks at

shared uint kept[WEIR_PALETTE_MAX_MEANS]; // a colour, and its number << 24
shared uint num_kept, least_distance;

// Get coordinates 0 .. side - 1 of a number, the last of which changes first.
uvec3 place_of(uint index, uint side)
{
    return uvec3(index / (side * side), index / side % side, index % side);
}

// The middle of a bin, and of a block of bins, times 2: both lie half way between two codes.
uvec3 middle_of(uvec3 steps)
{
    return 8u * steps + 3u;
}
uvec3 middle_of_block(uvec3 corner)
{
    return middle_of(corner) + 4u * (WEIR_PALETTE_LIVE_BLOCK - 1u);
}

uint distance_of(uint color, uvec3 middle)
{
    return squared_distance(2u * codes_of(color), middle);
}

// Get a bound of squared distances from the middle of a block: a colour beyond it is farther from
// each bin than the colour at `least` is. Bins are at most 20.8 from the middle (12 along each
// axis), and what floats round is less than the 1 that is added.
uint bound_of(uint least)
{
    const float distance = sqrt(float(least)) + 2.0 * 20.8 + 1.0;
    return uint(distance * distance);
}

void keep_near(uvec3 middle)
{
    uint colors[NUM_OWN], distances[NUM_OWN], least = 0xffffffffu;
    for (uint i = 0u; i < NUM_OWN; i++) {
        const uint k = i * BINS + gl_LocalInvocationIndex;
        colors[i] = means.points[k].w | k << 24;
        distances[i] = k < push.num_means ? distance_of(colors[i], middle) : 0xffffffffu;
        least = min(least, distances[i]);
    }
    if (gl_LocalInvocationIndex == 0u) {
        num_kept = 0u;
        least_distance = 0xffffffffu;
    }
    barrier();
    atomicMin(least_distance, least);
    barrier();
    const uint bound = bound_of(least_distance);
    for (uint i = 0u; i < NUM_OWN; i++) {
        if (distances[i] <= bound) {
            kept[atomicAdd(num_kept, 1u)] = colors[i];
        }
    }
    barrier();
}

// Of colours that are as near the one of the least number, whatever their order.
uint nearest_kept(uvec3 middle)
{
    uint best = 0u, least = 0xffffffffu;
    for (uint i = 0u; i < num_kept; i++) {
        const uint color = kept[i], rank = distance_of(color, middle) << 8 | color >> 24;
        best = rank < least ? color : best;
        least = min(least, rank);
    }
    return best;
}

void main()
{
    const uvec3 corner = WEIR_PALETTE_LIVE_BLOCK * place_of(gl_WorkGroupID.x, BLOCKS);
    keep_near(middle_of_block(corner));
    const uvec3 steps = corner + place_of(gl_LocalInvocationIndex, WEIR_PALETTE_LIVE_BLOCK);
    nearest[bin_at(steps)] = nearest_kept(middle_of(steps));
}
