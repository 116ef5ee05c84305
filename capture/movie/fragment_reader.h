// SPDX-License-Identifier: MIT
// Fragments of a movie, read from a file that may be damaged.
#ifndef WEIR_CAPTURE_MOVIE_FRAGMENT_READER_H
#define WEIR_CAPTURE_MOVIE_FRAGMENT_READER_H

#include "capture/movie/fragment.h"
#include "capture/movie/view.h"

enum weir_fragment_kind {
    WEIR_FRAGMENT_NONE,  // no fragment begins here, or it is damaged
    WEIR_FRAGMENT_FRAME, // one frame, as Weir writes it
    WEIR_FRAGMENT_AUDIO, // samples of sound, likewise
    WEIR_FRAGMENT_OTHER, // a sound box moof that another program wrote
};

struct weir_fragment_found {
    struct weir_fragment fragment;    // of a frame
    struct weir_audio_fragment audio; // of samples
    uint64_t data;                    // where the frame or the samples begin in the file
    uint64_t end; // where its mdat ends; behind the end of the file where that was cut
};

// Read the boxes moof and mdat at `at`, but not what is in mdat.
enum weir_fragment_kind weir_fragment_read(struct weir_view *view, uint64_t at,
                                           struct weir_fragment_found *found);

#endif
