// SPDX-License-Identifier: MIT
// A sequence: the pictures of a list that can be decoded, in order.
#ifndef WEIR_CAPTURE_FILES_SOURCE_SEQUENCE_H
#define WEIR_CAPTURE_FILES_SOURCE_SEQUENCE_H

#include <stdbool.h>
#include <stdint.h>

#include <libavutil/frame.h>

#include "capture/files/source/list.h"
#include "capture/files/source/reader.h"

struct weir_sequence_ahead;

struct weir_sequence {
    const struct weir_source_list *list; // borrowed
    struct weir_reader_params reader;    // for every picture; `path` is not used
    size_t first;                        // the file to begin with
    struct weir_sequence_ahead *ahead;   // the threads; NULL before the first picture
    struct weir_reader_names names;      // of the first picture
    uint64_t num_errors; // pictures that could not be decoded, which has been logged
};

void weir_sequence_init(struct weir_sequence *sequence, const struct weir_source_list *list,
                        size_t first, const struct weir_reader_params *reader);

// A zeroed one is allowed.
void weir_sequence_finish(struct weir_sequence *sequence);

// Get the next picture that can be decoded, and its number in the list. `*end` is true if there is
// none. Errors: WEIR_ERROR_IO (interrupted), WEIR_ERROR_OUT_OF_MEMORY.
enum weir_result weir_sequence_next(struct weir_sequence *sequence, AVFrame *frame,
                                    uint64_t *number, bool *end);

#endif
