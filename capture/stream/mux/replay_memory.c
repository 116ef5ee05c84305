// SPDX-License-Identifier: MIT
// The memory of a replay: the latest frames and samples, in the order in which they were written,
// in a ring of bytes.
#include "capture/stream/mux/replay.h"

#include <string.h>

#include "capture/base/size.h"
#include "capture/base/system.h"

_Static_assert(sizeof(struct weir_replay_record) <= WEIR_REPLAY_UNIT, "the data follows there");

bool weir_replay_memory_init(struct weir_replay_memory *memory, uint64_t size, uint64_t window_ns)
{
    *memory = (struct weir_replay_memory){
        .size = size - size % WEIR_REPLAY_UNIT,
        .window_ns = window_ns,
        .pin = UINT64_MAX,
    };
    if (memory->size != (size_t)memory->size) {
        return false;
    }
    memory->bytes = weir_pages_create((size_t)memory->size);
    return memory->bytes;
}

void weir_replay_memory_finish(struct weir_replay_memory *memory)
{
    if (memory->bytes) {
        weir_pages_destroy(memory->bytes, (size_t)memory->size);
    }
    memory->bytes = NULL;
}

static struct weir_replay_record *place(const struct weir_replay_memory *memory, uint64_t offset)
{
    return (struct weir_replay_record *)(void *)(memory->bytes + offset % memory->size);
}

const struct weir_replay_record *weir_replay_memory_at(const struct weir_replay_memory *memory,
                                                       uint64_t *offset)
{
    if (*offset != memory->head && place(memory, *offset)->packet.size == 0) {
        *offset += place(memory, *offset)->room;
    }
    return *offset != memory->head ? place(memory, *offset) : NULL;
}

static uint64_t rest_of_ring(const struct weir_replay_memory *memory)
{
    return memory->size - memory->head % memory->size;
}

// What a record takes, together with the rest of the ring where it does not fit in there.
static uint64_t room_of(const struct weir_replay_memory *memory, uint64_t room)
{
    return room <= rest_of_ring(memory) ? room : rest_of_ring(memory) + room;
}

// Let old records go until there is so much room.
static bool make_room(struct weir_replay_memory *memory, uint64_t room)
{
    for (;;) {
        if (memory->oldest == memory->head && memory->pin > memory->head) {
            memory->head += rest_of_ring(memory) % memory->size; // empty: from its beginning
            memory->oldest = memory->head;
            return room <= memory->size;
        }
        const uint64_t held = memory->oldest < memory->pin ? memory->oldest : memory->pin;
        if (room_of(memory, room) <= memory->size - (memory->head - held)) {
            return true;
        }
        if (memory->oldest >= memory->pin) {
            return false;
        }
        memory->oldest += place(memory, memory->oldest)->room;
    }
}

uint64_t weir_replay_record_room(const struct weir_mux_packet *packet)
{
    return WEIR_REPLAY_UNIT + weir_round_up(packet->size, WEIR_REPLAY_UNIT);
}

uint8_t *weir_replay_memory_reserve(struct weir_replay_memory *memory,
                                    const struct weir_mux_packet *packet)
{
    const uint64_t room = weir_replay_record_room(packet);
    if (!make_room(memory, room)) {
        return NULL;
    }
    if (room > rest_of_ring(memory)) {
        struct weir_replay_record *wrap = place(memory, memory->head);
        *wrap = (struct weir_replay_record){.room = rest_of_ring(memory)};
        memory->head += wrap->room;
    }
    struct weir_replay_record *record = place(memory, memory->head);
    uint8_t *data = (uint8_t *)record + WEIR_REPLAY_UNIT;
    *record = (struct weir_replay_record){.packet = *packet, .room = room};
    record->packet.data = data;
    return data;
}

void weir_replay_memory_forget(struct weir_replay_memory *memory)
{
    memory->oldest = memory->head;
    memory->has_frame = false;
}

// The frame that is shown where the window begins is kept.
static void forget_old(struct weir_replay_memory *memory)
{
    const struct weir_replay_record *record;
    for (uint64_t at = memory->oldest;
         (record = weir_replay_memory_at(memory, &at)) &&
         record->packet.time_ns + memory->window_ns <= memory->newest_ns;
         at += record->room) {
        memory->oldest = record->packet.track == 0 ? at : memory->oldest;
    }
}

void weir_replay_memory_add(struct weir_replay_memory *memory)
{
    const struct weir_replay_record *record = place(memory, memory->head);
    memory->head += record->room;
    if (record->packet.track == 0) {
        memory->has_frame = true;
        memory->newest_ns = record->packet.time_ns;
        forget_old(memory);
    }
}
