// SPDX-License-Identifier: MIT
// Looks at a frame: adds pixels of it, one in each square of `spacing` texels, to the sums of the
// colours that they are mapped to.
//
// An invocation looks at one pixel. A workgroup has 16x16 squares, and adds to sums of its own
// first. 7 KiB of shared memory.

#include "palette/constants.h"

layout(local_size_x = WEIR_PALETTE_LOOK_SIDE, local_size_y = WEIR_PALETTE_LOOK_SIDE) in;

#include "palette/pixel.glsl"
#define NEAREST_ACCESS readonly
#include "palette/live.glsl"

const uint GROUP_SIZE = WEIR_PALETTE_LOOK_SIDE * WEIR_PALETTE_LOOK_SIDE;

shared uint own[WEIR_PALETTE_MAX_MEANS * WEIR_PALETTE_LIVE_SUMS];

// Get the place that is looked at in a square: another in each, so that no pattern of the picture
// hides between them.
uvec2 place_in(uvec2 square)
{
    uint hash = square.x * 0x9e3779b1u + square.y * 0x85ebca77u;
    hash = (hash ^ hash >> 15) * 0x2c1b3c6du;
    return uvec2(hash >> 8 & 255u, hash >> 16 & 255u) % push.spacing;
}

void add_own(uint k, uvec3 codes)
{
    const uint first = WEIR_PALETTE_LIVE_SUMS * k;
    atomicAdd(own[first], 1u);
    for (uint c = 0u; c < 3u; c++) {
        atomicAdd(own[first + 1u + c], codes[c]);
        atomicAdd(own[first + 4u + c], codes[c] * codes[c]);
    }
}

void look(uvec2 square)
{
    const uvec2 position = min(push.spacing * square + place_in(square), push.size - 1u);
    const vec4 texel = fetch_texel(position);
    if (source_alpha(texel.a) > 0u) {
        const uvec3 codes = uvec3(source_codes(texel.rgb, position));
        add_own(nearest[bin_at(codes >> 2)] >> 24, codes);
    }
}

void main()
{
    const uint num_sums = push.num_means * WEIR_PALETTE_LIVE_SUMS;
    for (uint i = gl_LocalInvocationIndex; i < num_sums; i += GROUP_SIZE) {
        own[i] = 0u;
    }
    barrier();
    const uvec2 square = gl_GlobalInvocationID.xy;
    if (all(lessThan(push.spacing * square, push.size))) {
        look(square);
    }
    barrier();
    for (uint i = gl_LocalInvocationIndex; i < num_sums; i += GROUP_SIZE) {
        if (own[i] != 0u) {
            atomicAdd(looked[i], own[i]);
        }
    }
}
