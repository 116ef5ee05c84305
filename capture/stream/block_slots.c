// SPDX-License-Identifier: MIT
// The slots of a capture of blocks: whose memory frames lie in until the writer is done with them.
#include "capture/stream/block_slots.h"

uint32_t weir_block_slots_take(struct weir_block_slots *slots, uint8_t *textures, void *owner)
{
    const uint32_t index = slots->next;
    slots->next = (index + 1) % slots->num;
    slots->slots[index] = (struct weir_block_slot){.textures = textures, .owner = owner};
    return index;
}

// There is nothing to wait for: the blocks are in memory.
static enum weir_result wait_for_slot(void *user, uint32_t slot, uint64_t timeout_ns,
                                      struct weir_readback_data *data)
{
    const struct weir_block_slots *slots = user;
    (void)timeout_ns;
    *data = (struct weir_readback_data){.data = slots->slots[slot].textures};
    return WEIR_OK;
}

static void release_slot(void *user, uint32_t slot)
{
    const struct weir_block_slots *slots = user;
    slots->release(slots->user, slots->slots[slot].owner);
}

struct weir_writer_source weir_block_slots_source(struct weir_block_slots *slots)
{
    return (struct weir_writer_source){
        .wait = wait_for_slot, .release = release_slot, .user = slots};
}
