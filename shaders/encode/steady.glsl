// SPDX-License-Identifier: MIT
// What blocks keep of those in the frame before: the rule that codecs share, and the buffer of
// those blocks.
//
// Noise moves the endpoints of a block from frame to frame, and with them all its texels at once.
// So blocks keep the endpoints that they had, unless those have more than twice the squared error
// of the new ones. Texels keep their indices too, where another value is nearer by no more than an
// eighth of a step. All errors are those against the texels of this frame, so they do not add up
// from frame to frame. A channel alone has other numbers: bc4/steady.glsl.
//
// Requires encode/region.glsl. The includer defines HISTORY_BLOCK, the type of an element.
#ifndef WEIR_STEADY
#define WEIR_STEADY

layout(set = WEIR_ENCODE_SET_HISTORY, binding = 0, std430) buffer History {
    HISTORY_BLOCK blocks[];
} history;

uint history_index(uvec2 block)
{
    return push.first_in_history + block.y * push.blocks_per_row + block.x;
}

// Whether endpoints are kept that leave `error`, where new ones leave `new_error`.
bool is_kept(uint error, uint new_error)
{
    return error / 2u <= new_error;
}

// By how much the squared error of a texel may be above the least for it to keep its index.
uint slack_of(uint squared_step)
{
    return squared_step / 4u;
}

#endif
