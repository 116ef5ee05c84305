// SPDX-License-Identifier: MIT
// Encodes an image as BC7, blocks in rows from the top left.
//
// A workgroup encodes 4x8 blocks of 4x4 texels, an invocation each; at high four share a block:
// encode/lanes.glsl. 15,552 bytes of shared memory at high, else up to 5,312. Requires nothing
// beyond Vulkan 1.2.

#include "encode/texture.glsl"

#ifndef WEIR_LANES
#if WEIR_EFFORT == WEIR_ENCODE_EFFORT_HIGH
#define WEIR_LANES 4
#else
#define WEIR_LANES 1
#endif
#endif
#include "encode/lanes.glsl"

layout(constant_id = WEIR_ENCODE_CONSTANT_ALPHA_UNREAD) const bool ALPHA_UNREAD = false;

const uint NUM_INVOCATIONS = NUM_LANES * BLOCKS_OF_GROUP;
#include "encode/bc7/bc7.glsl"

void main()
{
    share_tables();
    const uvec2 block = gl_GlobalInvocationID.xy;
    [[dont_unroll]] for (uint i = lane_of_block(); i < 16u; i += NUM_LANES) {
        const uint texel = pack(fetch_codes(block, i));
        block_texels[i][place_of_block()] = ALPHA_UNREAD ? texel | 0xff000000u : texel;
    }
    barrier();
    const bool is_inside = all(lessThan(4u * block, push.size));
    if (NUM_LANES == 1u && !is_inside) {
        return; // live takes 3 % longer on NVIDIA without this
    }
    Found found = Found(is_inside ? NOT_FOUND : 0u, uvec4(0u));
    encode_bc7(found);
    const bool is_best = is_best_of_lanes(found);
    if (is_inside && is_best) {
        destination.blocks[2u * block_index(block)] = found.block.xy;
        destination.blocks[2u * block_index(block) + 1u] = found.block.zw;
    }
}
