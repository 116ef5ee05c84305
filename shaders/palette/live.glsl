// SPDX-License-Identifier: MIT
// What a palette that follows from frame to frame keeps: tables of nearest colours, one that frames
// are mapped by and one that is filled meanwhile, and the sums of a frame.
//
// The includer declares NEAREST_ACCESS.

#include "palette/constants.h"

layout(set = WEIR_PALETTE_SET_NEAREST, binding = 0, std430)
    // For each bin of 4x4x4 colours the colour of the palette that is nearest to its middle,
    // 0xRRGGBB, and its number << 24.
    NEAREST_ACCESS buffer Nearest { uint nearest[]; };

// Over the pixels of each colour of the palette that were looked at: their number, the sums of
// their codes, and the sums of the squares of these, modulo 2^32. There are at most 2^17 pixels, so
// all but the squares have room, and so has what is computed of these.
layout(set = WEIR_PALETTE_SET_MEMORY, binding = WEIR_PALETTE_BINDING_LOOKED, std430)
    buffer Looked { uint looked[WEIR_PALETTE_MAX_MEANS * WEIR_PALETTE_LIVE_SUMS]; };

// Get the number of a bin: rising with red, then with green, then with blue.
uint bin_at(uvec3 steps)
{
    return (steps.r * WEIR_PALETTE_LIVE_STEPS + steps.g) * WEIR_PALETTE_LIVE_STEPS + steps.b;
}

uvec3 codes_of(uint color)
{
    return uvec3(color >> 16, color >> 8, color) & 255u;
}
