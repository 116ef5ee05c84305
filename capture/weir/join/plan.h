// SPDX-License-Identifier: MIT
// Where the frames and samples of several movies go in one.
#ifndef WEIR_CAPTURE_WEIR_JOIN_PLAN_H
#define WEIR_CAPTURE_WEIR_JOIN_PLAN_H

#include "capture/weir/join/order.h"
#include "capture/weir/join/tracks.h"

// What became of a movie.
struct join_part {
    uint64_t start_ticks; // in the whole
    size_t num_frames;
};

struct join_plan {
    struct join_input *inputs; // in their order, when they were put in it
    size_t num_inputs;
    bool are_segments; // their times are those of the recording
    struct join_tracks tracks;
    struct weir_movie movie;
    struct join_part *parts; // one a movie that was added
    size_t num_parts;
    uint64_t end_ticks;  // where the last movie ends
    uint64_t num_silent; // samples of silence, of all tracks
    uint64_t num_cut;    // samples that lie behind the first frame of the next segment
    // Movies whose time code is not that of the whole where they lie, and the first one of them.
    size_t num_other_timecodes, first_other_timecode;
    uint64_t num_lost_chapters; // more than a movie holds
};

// Begin with the movies of these paths, which are borrowed. Call join_plan_finish() in any case.
// False: out of memory.
bool join_plan_init(struct join_plan *plan, char *const *paths, size_t num);
void join_plan_finish(struct join_plan *plan);

// Where the bytes of the movies come from.
struct join_sources {
    // Open a movie, by its number in the order given; the one before is not read any more. False:
    // it cannot be opened, and the reason was printed.
    bool (*open)(void *user, size_t number, struct weir_view_source *source);
    void *user;
};

// Read the movies, put them in order, and add one by one. False: they cannot be joined, and
// `refusal` says why; "": open() has.
bool join_plan_make(struct join_plan *plan, const struct join_rules *rules,
                    const struct join_sources *sources, char refusal[JOIN_REFUSAL_SIZE]);

// Get the number that the first frame of movie `i` has in the whole, which has time code.
struct weir_timecode join_plan_timecode(const struct join_plan *plan, size_t i);

#endif
