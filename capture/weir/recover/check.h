// SPDX-License-Identifier: MIT
// Checks that a frame is one of a movie, and whole.
#ifndef WEIR_CAPTURE_WEIR_RECOVER_CHECK_H
#define WEIR_CAPTURE_WEIR_RECOVER_CHECK_H

#include "capture/movie/codec.h"
#include "capture/movie/view.h"

// What the frames of a movie are.
struct recover_kind {
    const struct weir_movie_codec_info *codec; // NULL: any
    uint32_t width, height;
};

enum recover_depth {
    RECOVER_HEADERS, // the headers and tables of the frame agree with each other and with its kind
    RECOVER_WHOLE,   // and so does every byte of it
};

// Check the frame at `at`, which ends at `limit` at the latest. `end` gets where it ends.
bool recover_check(struct weir_view *view, const struct recover_kind *kind, uint64_t at,
                   uint64_t limit, enum recover_depth depth, uint64_t *end);

#endif
