// SPDX-License-Identifier: MIT
// What blocks keep of those in the frame before: the rule that codecs share, and the buffer of
// those blocks. tests/ref/steady.h explains the rule.
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
