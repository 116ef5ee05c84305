// SPDX-License-Identifier: MIT
// The lanes of a block: the invocations of a workgroup with the same x and y share a block, so
// that few blocks occupy a GPU too. Those with the same z have the same task, so that a subgroup
// does not diverge. Of equal candidates the first one is kept: the block is the one that a single
// lane finds, as on the processor (tests/kernels).
//
// Requires encode/region.glsl. WEIR_LANES says how many, if not four.
#ifndef WEIR_ENCODE_LANES
#define WEIR_ENCODE_LANES

#ifndef WEIR_LANES
#define WEIR_LANES 4
#endif
layout(local_size_z = WEIR_LANES) in;

const uint NUM_LANES = gl_WorkGroupSize.z;
const uint BLOCKS_OF_GROUP = WEIR_ENCODE_GROUP_WIDTH * WEIR_ENCODE_GROUP_HEIGHT;

uint lane_of_block()
{
    return NUM_LANES == 1u ? 0u : gl_LocalInvocationID.z;
}

// The number of the block in its workgroup.
uint place_of_block()
{
    return NUM_LANES == 1u ? gl_LocalInvocationIndex : gl_LocalInvocationIndex % BLOCKS_OF_GROUP;
}

// Get the first and the end of the lane's part of some candidates. Lanes have them in order.
uvec2 part_of_lane(uint num)
{
    return (lane_of_block() + uvec2(0u, 1u)) * num / NUM_LANES;
}

// True for the lane that stores a block. Blocks beyond the edge only take part in barriers.
bool is_storing(uvec2 block)
{
    return lane_of_block() == 0u && all(lessThan(4u * block, push.size));
}

#endif
