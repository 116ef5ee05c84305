// SPDX-License-Identifier: MIT
// The blocks of the frame before as they were written. Blocks that do not change keep them.
// Included behind rdo/interface.glsl.

layout(constant_id = WEIR_RDO_CONSTANT_STEADY) const bool STEADY = false;

// Zeros before the first frame.
layout(set = WEIR_RDO_SET_HISTORY, binding = 0, std430) buffer History {
    WORDS blocks[];
} history;

// The blocks of the frame before at the places of the batch, and their texels.
shared WORDS batch_before_words[BATCH];
shared uint batch_before[BATCH][16];

// What is of the frame before stays if it costs no more than so many bytes.
const uint HOLD_HALF = 8u;
const uint HOLD_BLOCK = 12u; // of two halves that are measured together

const uint CHANGE_BYTES = 8u; // that others cost than what is held
const uint MAX_HELD = 5u;     // of the activity, that is added to the squared error

// Get the index of a block in the history.
uint index_in_history(uvec2 block)
{
    return push.first_in_history + block.y * push.columns + block.x;
}

// Keep what the block of that index in the buffer has become.
void put_history(uint index, WORDS words)
{
    if (STEADY)
        history.blocks[push.first_in_history + index - push.first_block] = words;
}
