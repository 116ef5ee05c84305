// SPDX-License-Identifier: MIT
// Fragments of a movie, read from a file that may be damaged.
#ifndef WEIR_CAPTURE_MOVIE_FRAGMENT_READER_H
#define WEIR_CAPTURE_MOVIE_FRAGMENT_READER_H

#include "capture/movie/fragment.h"
#include "capture/movie/view.h"

enum weir_fragment_type {
    WEIR_FRAGMENT_NONE,  // no fragment begins here, or it is damaged
    WEIR_FRAGMENT_FRAME, // one frame, as Weir writes it
    WEIR_FRAGMENT_AUDIO, // samples of audio, as Weir writes them
    WEIR_FRAGMENT_OTHER, // a sound box moof that another program wrote
};

struct weir_fragment_found {
    struct weir_piece piece; // where it lies, and what its head says of time and track
    uint32_t number;         // counted from 1, over the fragments of all tracks
    uint32_t duration;       // of a frame, nominal [ticks]
    uint32_t sample_size;    // of samples [bytes]
    uint64_t end;            // where its mdat ends; behind the end of the file where that was cut
};

// Read the boxes moof and mdat at `at`, but not what is in mdat.
enum weir_fragment_type weir_fragment_read(struct weir_view *view, uint64_t at,
                                           struct weir_fragment_found *found);

#endif
