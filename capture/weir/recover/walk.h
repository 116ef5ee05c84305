// SPDX-License-Identifier: MIT
// The walk through a movie that grew: from fragment to fragment, and over damaged parts to the next
// one.
#ifndef WEIR_CAPTURE_WEIR_RECOVER_WALK_H
#define WEIR_CAPTURE_WEIR_RECOVER_WALK_H

#include "capture/weir/recover/check.h"
#include "capture/weir/remux/movie.h"

// The largest frame that a fragment can hold [bytes].
#define RECOVER_MAX_FRAME (UINT32_MAX - 8)

struct recover_walk {
    struct weir_view *near; // reads headers
    struct weir_view *far;  // reads long stretches
    struct recover_kind kind;
    struct remux_movie *movie; // its `audio` is known; frames and samples are added
    // Told where the walk is; false ends it. May be NULL.
    bool (*progress)(void *user, uint64_t at, size_t num_frames);
    void *user;

    size_t num_frames;
    uint64_t num_unknown_audio; // fragments of sound that `audio` does not describe
    uint64_t end;               // where the last whole fragment ends, with its padding
    uint64_t claimed_end;       // of the last frame, or of samples by their head, whole or not
    uint32_t last_filled;       // the number of the last fragment that holds what its head says
    bool has_sound;             // the movie has fragments of sound
    uint32_t ticks_per_frame;   // nominal, of the fragments; 0: none was found
    int64_t num_votes;          // for ticks_per_frame, less those against it
    uint32_t last_number;       // of the fragment before
    uint64_t num_known;         // the highest number of a fragment that is credible
    bool is_torn;               // a part of a fragment follows
    uint64_t num_parts;         // damaged parts with frames behind them
    uint64_t num_foreign;       // fragments that another program wrote
    bool stopped;               // by progress(), out of memory, or at too many foreign fragments
    bool is_out_of_memory;
    bool is_type[256]; // of the section of a frame of this kind
};

// Walk from `at` to the end of the file, and add all frames and samples.
void recover_walk_run(struct recover_walk *walk, uint64_t at);

#endif
