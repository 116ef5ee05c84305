// SPDX-License-Identifier: MIT
// The slots of a capture of blocks: whose memory frames lie in until the writer is done with them.
#ifndef WEIR_CAPTURE_STREAM_BLOCK_SLOTS_H
#define WEIR_CAPTURE_STREAM_BLOCK_SLOTS_H

#include <stdint.h>

#include "capture/stream/ring/ring.h"
#include "capture/stream/writer/writer.h"

struct weir_block_slots {
    void (*release)(void *user, void *owner); // weir_blocks_params.release
    void *user;
    uint32_t num, next; // that there are; the next one
    struct weir_block_slot {
        uint8_t *textures; // the first one, with free space before it
        void *owner;
    } slots[WEIR_RING_MAX_ITEMS];
};

// Take the next slot, which is free: the writer gives slots back in their order, each before its
// room in the ring, and has one of them more than the ring. Returns its index. For the thread that
// pushes.
uint32_t weir_block_slots_take(struct weir_block_slots *slots, uint8_t *textures, void *owner);

// Get them as the writer's source. They are borrowed.
struct weir_writer_source weir_block_slots_source(struct weir_block_slots *slots);

#endif
