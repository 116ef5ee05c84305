// SPDX-License-Identifier: MIT
// A fragment of a movie, the boxes moof and mdat around a piece: written, and read from a file that
// may be damaged.
#pragma once

#include "capture/movie/boxes.h"
#include "capture/movie/movie.h"

#define WEIR_FRAGMENT_HEADER_SIZE 108

// Write the part of the fragment before a piece's bytes. `number` counts fragments of all tracks
// from 1. A frame lasts movie->pictures.ticks_per_frame there: how long it is shown is known later.
void weir_fragment_write(const struct weir_movie *movie, const struct weir_piece *piece,
                         uint32_t number, uint8_t bytes[WEIR_FRAGMENT_HEADER_SIZE]);

enum weir_fragment_type {
    WEIR_FRAGMENT_NONE,  // no fragment begins here, or it is damaged
    WEIR_FRAGMENT_FRAME, // one frame, as Weir writes it
    WEIR_FRAGMENT_AUDIO, // samples of audio, as Weir writes them
    WEIR_FRAGMENT_OTHER, // a sound box moof that another program wrote
};

struct weir_fragment {
    struct weir_piece piece; // where it lies, and what its head says of time and track
    uint32_t id;             // of the track, counted from 1
    uint32_t number;         // counted from 1, over the fragments of all tracks
    uint32_t duration;       // of a frame, nominal [ticks]
    uint32_t sample_size;    // of samples [bytes]; 0: a frame
    uint64_t end;            // where its mdat ends; behind the end of the file where that was cut
};

// Read the boxes moof and mdat at `at`, but not what is in mdat.
enum weir_fragment_type weir_fragment_read(struct weir_view *view, uint64_t at,
                                           struct weir_fragment *found);
