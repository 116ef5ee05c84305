// SPDX-License-Identifier: MIT
// Pauses: spans of the host's time that a movie leaves out, and the movie clock, which stands still
// in them: the host's time less all pauses before it.
#ifndef WEIR_CAPTURE_STREAM_CLOCK_PAUSES_H
#define WEIR_CAPTURE_STREAM_CLOCK_PAUSES_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

// The times from begin_ns on and before end_ns, by the host's clock.
struct weir_pause {
    int64_t begin_ns, end_ns; // without an end: INT64_MAX
    uint64_t before_ns;       // the length of all pauses before it
};

// 24 bytes a pause, in their order. One thread makes pauses; it may look at them without the lock.
struct weir_pauses {
    struct weir_pause *items;
    uint32_t num;
    size_t room;
    bool is_open; // the last one has no end yet
    pthread_mutex_t lock;
};

// What the pauses make of a time.
struct weir_pause_place {
    int64_t time_ns;  // by the movie clock; in a pause that of its begin
    int64_t until_ns; // by the host's clock: where the next pause begins, or this one ends
    uint32_t number;  // of the pauses that have begun by then
    bool is_paused;
    bool is_open; // and nobody knows yet when the pause ends
};

// False: out of memory. Room for 64 pauses is made at once; more is made by doubling.
bool weir_pauses_init(struct weir_pauses *pauses);
void weir_pauses_finish(struct weir_pauses *pauses);

// Begin a pause, at a time that is not before the end of the last one. None is open. False: out of
// memory; there is no pause then.
bool weir_pauses_begin(struct weir_pauses *pauses, int64_t time_ns);

// End the pause that is open, at a time that is not before its begin.
void weir_pauses_end(struct weir_pauses *pauses, int64_t time_ns);

// Place a time by the host's clock. The first is for the thread that makes pauses, the second for
// any other.
struct weir_pause_place weir_pauses_place(const struct weir_pauses *pauses, int64_t time_ns);
struct weir_pause_place weir_pauses_place_shared(struct weir_pauses *pauses, int64_t time_ns);

#endif
