// SPDX-License-Identifier: MIT
// Decoding ahead: the pictures of a sequence on several threads, handed out in order.
#ifndef WEIR_CAPTURE_FILES_SOURCE_AHEAD_H
#define WEIR_CAPTURE_FILES_SOURCE_AHEAD_H

#include <stdbool.h>
#include <stddef.h>

#include <libavutil/frame.h>

#include "capture/files/source/list.h"
#include "capture/files/source/reader.h"

struct weir_ahead;

struct weir_ahead_params {
    const struct weir_source_list *list; // borrowed until weir_ahead_stop()
    size_t first;                        // the file to begin with
    size_t picture_size;                 // of a decoded picture [bytes]; limits how many are held
    uint64_t picture_need;               // what the first one takes, weir_memory_need() [bytes]
    struct weir_reader_params reader;    // for every picture; `path` is not used
};

// Errors: WEIR_ERROR_OUT_OF_MEMORY. `*out` is NULL then.
enum weir_result weir_ahead_start(const struct weir_ahead_params *params, struct weir_ahead **out);

// NULL is allowed; sets `*ahead` to NULL.
void weir_ahead_stop(struct weir_ahead **ahead);

// Get the next picture. `*decoded` is false if the file could not be decoded, which has been
// logged. `*end` is true if there are no more files. Errors: WEIR_ERROR_OUT_OF_MEMORY.
enum weir_result weir_ahead_next(struct weir_ahead *ahead, AVFrame *frame, uint64_t *number,
                                 bool *decoded, bool *end);

#endif
