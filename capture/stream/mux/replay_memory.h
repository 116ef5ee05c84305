// SPDX-License-Identifier: MIT
// The memory of a replay: the latest frames and samples, in the order in which they were written,
// in a ring of bytes. Without threads.
#ifndef WEIR_CAPTURE_STREAM_MUX_REPLAY_MEMORY_H
#define WEIR_CAPTURE_STREAM_MUX_REPLAY_MEMORY_H

#include "capture/movie/movie.h"

// Each record, its head and its data, takes a multiple of this [bytes].
#define WEIR_REPLAY_UNIT 64u

// The head of a record. Its data follows at WEIR_REPLAY_UNIT.
struct weir_replay_record {
    struct weir_piece piece; // of the recording; size 0: the next record begins the ring again
    uint64_t room;           // of the record [bytes]
    uint64_t time_ns;        // since the recording's first frame: of a frame, or the end of samples
};

// Offsets grow for ever; the place in the ring is their rest by `size`.
struct weir_replay_memory {
    uint8_t *bytes;
    uint64_t size, window_ns;
    uint64_t head;   // where the next record goes
    uint64_t oldest; // the first record that is kept
    uint64_t pin;    // the first record that must stay, kept or not; UINT64_MAX: none
    bool has_frame;
    uint64_t newest_ns; // time of the latest frame
};

// Take the memory, and touch it. What is older than `window_ns` is not kept. False: out of memory.
bool weir_replay_memory_init(struct weir_replay_memory *memory, uint64_t size, uint64_t window_ns);
void weir_replay_memory_finish(struct weir_replay_memory *memory);

// Get what a record takes [bytes].
uint64_t weir_replay_record_room(const struct weir_replay_record *head);

// Make room for a record, whose head is copied; its room is set. Old records go. Returns where its
// data is to be put before the record is added. NULL: what is pinned leaves no room, or it takes
// more than the whole memory.
uint8_t *weir_replay_memory_reserve(struct weir_replay_memory *memory,
                                    const struct weir_replay_record *head);
void weir_replay_memory_add(struct weir_replay_memory *memory);

// Forget all records. What is pinned stays.
void weir_replay_memory_forget(struct weir_replay_memory *memory);

// Get the record at an offset, which moves beyond a wrap. NULL: there is none yet.
const struct weir_replay_record *weir_replay_memory_at(const struct weir_replay_memory *memory,
                                                       uint64_t *offset);
const uint8_t *weir_replay_record_data(const struct weir_replay_record *record);

#endif
