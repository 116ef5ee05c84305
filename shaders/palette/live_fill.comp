// SPDX-License-Identifier: MIT
// Finds the nearest colour of the palette for each bin of 4x4x4 colours.
//
// A workgroup of 64 invocations fills one block of 4x4x4 bins after another: an invocation looks at
// every 64th colour of the palette, which is kept if it may be the nearest of any bin of the block,
// and then searches those that are kept for one bin. There are so few workgroups that the pixels
// are mapped beside them (src/palette/live.c). 1 KiB of shared memory.

#include "palette/constants.h"

const uint BINS = WEIR_PALETTE_LIVE_BLOCK * WEIR_PALETTE_LIVE_BLOCK * WEIR_PALETTE_LIVE_BLOCK;
const uint BLOCKS = WEIR_PALETTE_LIVE_STEPS / WEIR_PALETTE_LIVE_BLOCK; // of an axis
const uint NUM_BLOCKS = BLOCKS * BLOCKS * BLOCKS;

layout(local_size_x = BINS) in;

#include "palette/memory.glsl"
#include "palette/means.glsl"
#define NEAREST_ACCESS writeonly
#include "palette/live.glsl"

const uint HALF_SIDE = 4u * (WEIR_PALETTE_LIVE_BLOCK - 1u); // of the middles of a block's bins
const uint FAR = 0xffffffu; // more than any squared distance

const uint NUM_OWN = WEIR_PALETTE_MAX_MEANS / BINS; // colours that an invocation looks at

shared uint kept[WEIR_PALETTE_MAX_MEANS]; // a colour, and its number << 24
shared uint num_kept, least_rank, nearest_color;

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
    return middle_of(corner) + HALF_SIDE;
}

uint distance_of(uint color, uvec3 middle)
{
    return squared_distance(2u * codes_of(color), middle);
}

// Get a colour of the palette that this invocation looks at, and its number << 24.
uint own_color(uint i)
{
    const uint k = i * BINS + gl_LocalInvocationIndex;
    return means.points[k].w | k << 24;
}

// Get whether a colour may be the nearest of a bin of the block, where `other` is the nearest of
// its middle: by how much the colour is farther, `difference` at the middle, changes linearly, and
// by at most this on the way to a bin, which is HALF_SIDE along each axis.
bool may_be_nearest(uint color, uint other, uint difference)
{
    const uvec3 apart = uvec3(abs(ivec3(codes_of(color)) - ivec3(codes_of(other))));
    return difference <= 2u * HALF_SIDE * 2u * (apart.x + apart.y + apart.z);
}

void keep_near(uint colors[NUM_OWN], uvec3 middle)
{
    uint distances[NUM_OWN], least = 0xffffffffu, own = 0u;
    for (uint i = 0u; i < NUM_OWN; i++) {
        const bool is_there = colors[i] >> 24 < push.num_means;
        distances[i] = is_there ? distance_of(colors[i], middle) : FAR;
        const uint rank = distances[i] << 8 | colors[i] >> 24;
        own = rank < least ? colors[i] : own;
        least = min(least, rank);
    }
    barrier(); // the block before has been searched
    if (gl_LocalInvocationIndex == 0u) {
        num_kept = 0u;
        least_rank = 0xffffffffu;
    }
    barrier();
    atomicMin(least_rank, least);
    barrier();
    if (least == least_rank) {
        nearest_color = own;
    }
    barrier();
    for (uint i = 0u; i < NUM_OWN; i++) {
        if (distances[i] != FAR &&
            may_be_nearest(colors[i], nearest_color, distances[i] - (least_rank >> 8))) {
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
    uint colors[NUM_OWN];
    for (uint i = 0u; i < NUM_OWN; i++) {
        colors[i] = own_color(i);
    }
    for (uint block = gl_WorkGroupID.x; block < NUM_BLOCKS; block += gl_NumWorkGroups.x) {
        const uvec3 corner = WEIR_PALETTE_LIVE_BLOCK * place_of(block, BLOCKS);
        keep_near(colors, middle_of_block(corner));
        const uvec3 steps = corner + place_of(gl_LocalInvocationIndex, WEIR_PALETTE_LIVE_BLOCK);
        nearest[bin_at(steps)] = nearest_kept(middle_of(steps));
    }
}
