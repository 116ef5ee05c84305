// SPDX-License-Identifier: MIT
// Where the frames and samples of several movies go in one.
#ifndef WEIR_CAPTURE_WEIR_JOIN_PLAN_H
#define WEIR_CAPTURE_WEIR_JOIN_PLAN_H

#include "capture/weir/join/tracks.h"
#include "capture/weir/remux/movie.h"

// What became of a movie.
struct join_part {
    uint64_t start_ticks; // in the whole
    size_t num_frames;
};

struct join_plan {
    struct join_input *inputs; // in their order, when they were put in it
    size_t num_inputs;
    bool are_segments;         // their times are those of the recording
    struct join_tracks tracks; // filled by join_tracks_add()
    struct remux_movie movie;
    struct join_part *parts; // one a movie that was added
    size_t num_parts;
    size_t num_frames;
    uint64_t last_ticks; // of the last frame
    uint64_t end_ticks;  // where the last movie ends
    uint64_t num_samples[WEIR_MOOV_MAX_AUDIO];
    uint64_t num_silent; // samples of silence, of all tracks
    uint64_t num_cut;    // samples that lie behind the first frame of the next segment
    // Movies whose time code is not that of the whole where they lie, and the first one of them.
    size_t num_other_timecodes, first_other_timecode;
    struct weir_chapters chapters;
    uint64_t num_lost_chapters; // more than a movie holds
    uint8_t *head;              // of the whole movie
};

// Begin with the movies of these paths, which are borrowed. Call join_plan_finish() in any case.
// False: out of memory.
bool join_plan_init(struct join_plan *plan, char *const *paths, size_t num);
void join_plan_finish(struct join_plan *plan);

// When all movies are read and in their order, and plan->tracks has their tracks: say what their
// times are.
void join_plan_begin(struct join_plan *plan, bool are_segments);

// Add the next movie. False: `refusal` says why.
bool join_plan_add(struct join_plan *plan, struct weir_view *view, char refusal[JOIN_REFUSAL_SIZE]);

// Complete plan->movie when all were added. False: `refusal` says why.
bool join_plan_complete(struct join_plan *plan, char refusal[JOIN_REFUSAL_SIZE]);

#endif
