// SPDX-License-Identifier: MIT
// A stream of frames of one size: the memory in which a layer hands them over, and who has which
// slot of it.
#ifndef WEIR_CAPTURE_WEIR_RECORD_STREAM_H
#define WEIR_CAPTURE_WEIR_RECORD_STREAM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "capture/weir/record/record.h"

enum record_slot_state {
    RECORD_SLOT_FREE, // the layer's
    RECORD_SLOT_USED, // the capture's
    RECORD_SLOT_DONE, // the capture has given it back, and the layer does not know yet
};

struct record_slot {
    atomic_int state; // enum record_slot_state
    uint32_t number;
};

struct record_window;

struct record_stream {
    struct record_stream *next; // of those that have ended
    struct record_window *window;
    uint32_t number, width, height;
    uint64_t num_frames; // that were presented while it was recorded
    int64_t last_ns;     // when the last of them was
    struct link_accept accept;
    uint8_t *memory;
    struct record_slot slots[LINK_MAX_SLOTS];
};

// Make the memory of a stream. `*fd` is for the layer; the caller closes it. NULL: there is none,
// or more than `most` would be needed [bytes].
struct record_stream *record_stream_create(const struct record_settings *settings,
                                           const struct link_stream *facts, uint64_t most, int *fd);
// Destroy a stream of which the capture has no slot. NULL is allowed.
void record_stream_destroy(struct record_stream *stream);

uint64_t record_stream_size(const struct record_stream *stream); // of its memory [bytes]

// Take a slot with a frame from the layer. NULL: there is no such slot, or it is not the layer's.
struct record_slot *record_stream_take(struct record_stream *stream, uint32_t slot);
uint8_t *record_stream_data(const struct record_stream *stream, const struct record_slot *slot);

// Note that the capture has given a slot back. Any thread.
void record_slot_release(struct record_slot *slot);

// Get a free slot to be sent to the layer, and make it the layer's. NULL: there is none.
struct record_slot *record_stream_next_done(struct record_stream *stream);

// True if the capture has no slot.
bool record_stream_is_idle(const struct record_stream *stream);

#endif
