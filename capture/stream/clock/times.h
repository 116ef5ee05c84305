// SPDX-License-Identifier: MIT
// The times of frames: which frames a movie takes, and what their times become in it.
#ifndef WEIR_CAPTURE_STREAM_CLOCK_TIMES_H
#define WEIR_CAPTURE_STREAM_CLOCK_TIMES_H

#include <stdbool.h>
#include <stdint.h>

#include "capture/stream/clock/grid.h"
#include "capture/stream/clock/pace.h"
#include "capture/stream/clock/pauses.h"

struct weir_times_params {
    uint32_t rate_num, rate_den;         // nominal frames a second
    uint32_t max_rate_num, max_rate_den; // both 0: no limit
    bool constant_rate;
    bool has_segments;                // a movie may begin behind a gap
    const struct weir_pauses *pauses; // borrowed
};

// For the thread that hands frames over. A copy of it, put back, takes frames back that were not
// put.
struct weir_times {
    const struct weir_pauses *pauses;
    struct weir_pace pace;
    struct weir_grid grid; // of a constant rate
    uint32_t ticks_per_second;
    bool has_segments;
    uint64_t max_gap_ns; // the longest between two frames of a movie
    int64_t last_ns;     // time_ns of the last frame that came after the frames before it
    bool has_last;
    int64_t first_ns;  // of the first frame that was put, by the movie clock
    uint64_t taken_ns; // of the last one, since the first
    bool has_taken;
};

enum weir_times_order {
    WEIR_TIMES_FOLLOWS,
    WEIR_TIMES_BACK, // not after the frames before it
    WEIR_TIMES_GAP,  // so long after them that the movie cannot go on
};

void weir_times_init(struct weir_times *times, const struct weir_times_params *params);

// Look if a frame may follow the frames before it. Call it for every frame.
enum weir_times_order weir_times_follow(struct weir_times *times, int64_t time_ns);

// True if a frame that follows is to be recorded: it comes in no pause, and not before it is due.
bool weir_times_takes(struct weir_times *times, int64_t time_ns);

// Put a frame into the movie. Returns its time there, since the first one.
uint64_t weir_times_put(struct weir_times *times, int64_t time_ns);

// Get the time of a frame since the movie's first, without pauses [ns]: 0 for one before it, or
// below 0. Both are 0 where there is no first one yet.
uint64_t weir_times_in_movie(const struct weir_times *times, int64_t time_ns);
int64_t weir_times_since_first(const struct weir_times *times, int64_t time_ns);

#endif
