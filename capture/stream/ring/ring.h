// SPDX-License-Identifier: MIT
// The ring: hands filled slots from the render thread to the writer thread, and free room back.
#pragma once

#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <weir/result.h>

#define WEIR_RING_MAX_ITEMS 64

struct weir_encoding;

// A slot on its way to the writer.
struct weir_ring_item {
    struct weir_encoding *encoding; // of the frame. Required
    uint32_t slot;
    bool is_submitted;    // false: the slot was not submitted and is only to be released
    bool is_encoded;      // false: the slot's bytes are not valid
    uint64_t number;      // of the frame, counted from 0 over all frames received
    uint64_t time_ns;     // since the first frame of the movie
    double quality;       // of a frame that is optimised
    uint64_t rate_number; // with a rate, as its control counts
    bool has_preview;     // the slot has a picture too
    int64_t shown_ns;     // of a frame that has: weir_frame.time_ns
};

// One producer, one consumer, no lock. `room` counts the slots that the producer may still fill: a
// push needs room taken before, so it never finds the ring full.
struct weir_ring {
    struct weir_ring_item items[WEIR_RING_MAX_ITEMS];
    _Atomic uint32_t head, tail; // counters, not wrapped; head is the producer's
    atomic_bool is_closed;
    sem_t room, filled;
};

enum weir_ring_event {
    WEIR_RING_ITEM,   // an item came
    WEIR_RING_WOKEN,  // no item, but weir_ring_wake() was called
    WEIR_RING_CLOSED, // the ring is closed and empty
};

// `num_items` is 1 .. WEIR_RING_MAX_ITEMS.
void weir_ring_init(struct weir_ring *ring, uint32_t num_items);
void weir_ring_finish(struct weir_ring *ring);

// Producer: reserve room for one item. take_room() returns at once, false if there is none;
// wait_room() sleeps until there is room.
bool weir_ring_try_reserve(struct weir_ring *ring);
void weir_ring_reserve(struct weir_ring *ring);

// Producer: hand an item over, into room taken before. Wakes the consumer if it sleeps.
void weir_ring_push(struct weir_ring *ring, const struct weir_ring_item *item);

// Producer: close the ring; no item follows.
void weir_ring_close(struct weir_ring *ring);

// Any thread: let the consumer look for other work than items.
void weir_ring_wake(struct weir_ring *ring);

// Consumer: sleep until something happens.
enum weir_ring_event weir_ring_pop(struct weir_ring *ring, struct weir_ring_item *item);

// Either side: give room for one item back.
void weir_ring_release(struct weir_ring *ring);
