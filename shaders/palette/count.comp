// SPDX-License-Identifier: MIT
// Counts the pixels of an image by colour, or notes which colours it has.
//
// An invocation reads one pixel. Where pixels are counted, lanes of a subgroup with the same colour
// count together, because art has large areas of one colour. A workgroup is 32x8 pixels. No shared
// memory. Requires subgroup ballots.

#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_vote : require

#include "palette/constants.h"

layout(local_size_x = WEIR_PALETTE_TILE_WIDTH, local_size_y = WEIR_PALETTE_TILE_HEIGHT) in;

#include "palette/pixel.glsl"

layout(constant_id = WEIR_PALETTE_CONSTANT_FREQUENCY) const bool FREQUENCY = false;

void note(uint color)
{
    const uint bit = 1u << (color & 31u);
    if ((bits[color >> 5] & bit) == 0u) {
        atomicOr(bits[color >> 5], bit);
    }
}

void add(uint color, uint num)
{
    if (atomicAdd(bins[color], num) == 0u) {
        note(color);
    }
}

// Count the pixels of a subgroup. Each of four rounds counts all lanes of one colour together; the
// rest are counted one by one.
void add_together(uint color, bool counts)
{
    for (uint round = 0u; round < 4u && subgroupAny(counts); round++) {
        const uint leader = subgroupBallotFindLSB(subgroupBallot(counts));
        const bool joins = counts && color == subgroupBroadcast(color, leader);
        const uint num = subgroupBallotBitCount(subgroupBallot(joins));
        if (gl_SubgroupInvocationID == leader) {
            add(color, num);
        }
        counts = counts && !joins;
    }
    if (counts) {
        add(color, 1u);
    }
}

void main()
{
    const uvec2 position = gl_GlobalInvocationID.xy;
    const bool is_inside = all(lessThan(position, push.size));
    const vec4 texel = fetch_texel(min(position, push.size - 1u));
    const bool counts = is_inside && source_alpha(texel.a) > 0u;
    const uint color = color_of_texel(texel, position);
    if (FREQUENCY) {
        add_together(color, counts);
    } else if (counts) {
        note(color);
    }
}
