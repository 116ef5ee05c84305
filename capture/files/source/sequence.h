// SPDX-License-Identifier: MIT
// A sequence: the pictures of a list that can be decoded, in order.
#ifndef WEIR_CAPTURE_FILES_SOURCE_SEQUENCE_H
#define WEIR_CAPTURE_FILES_SOURCE_SEQUENCE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include <libavutil/frame.h>

#include "capture/files/source/list.h"
#include "capture/files/source/reader.h"

enum { WEIR_SEQUENCE_MAX_THREADS = 8, WEIR_SEQUENCE_MAX_SLOTS = 2 * WEIR_SEQUENCE_MAX_THREADS };

// Set the first three members, and zero the rest.
struct weir_sequence {
    const struct weir_source_list *list; // borrowed
    struct weir_reader_params reader;    // for every picture; `path` is not used
    size_t first;                        // the file to begin with
    struct weir_reader_names names;      // of the first picture
    uint64_t num_errors; // pictures that could not be decoded, which has been logged

    // Behind the first picture threads decode ahead: file i goes through slot i % num_slots.
    bool has_begun;
    struct weir_sequence_slot {
        AVFrame *frame;
        enum weir_result result;
        bool decoded; // `frame` holds a picture
        bool done;    // a thread has left the slot
    } slots[WEIR_SEQUENCE_MAX_SLOTS];
    size_t num_slots;
    pthread_t threads[WEIR_SEQUENCE_MAX_THREADS];
    int num_threads;
    pthread_mutex_t lock; // protects the members from here on, and `done` of all slots
    pthread_cond_t changed;
    size_t taken; // number of files that threads have taken: the next file to decode
    size_t given; // number of files that the caller has got: the next file to hand out
    bool stop;
};

// A zeroed one is allowed.
void weir_sequence_finish(struct weir_sequence *sequence);

// Get the next picture that can be decoded, and its number in the list. `*end` is true if there is
// none. Errors: WEIR_ERROR_IO (interrupted), WEIR_ERROR_OUT_OF_MEMORY.
enum weir_result weir_sequence_next(struct weir_sequence *sequence, AVFrame *frame,
                                    uint64_t *number, bool *end);

#endif
