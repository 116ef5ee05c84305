// SPDX-License-Identifier: MIT
// The times of a source's frames: they rise, whatever the input states.
#ifndef WEIR_CAPTURE_FILES_SOURCE_TIMES_H
#define WEIR_CAPTURE_FILES_SOURCE_TIMES_H

#include <stdbool.h>
#include <stdint.h>

#include <libavutil/frame.h>
#include <libavutil/rational.h>

// Zeroed, but for the length, before the first frame.
struct weir_times {
    AVRational frame_length; // nominal [s]
    uint64_t num_frames;     // so far
    int64_t furthest_ns;     // the latest time that a frame states, from the first frame on
    bool is_odd;             // times stood still or started again
    // Of weir_times_add():
    int64_t first_pts;
    int64_t last_ns;                // time of the last frame, as given out
    int64_t last_own_ns, offset_ns; // its own time stamp, and the number that was added to it
};

// Get the time of the next frame of a movie [ns], 0 for the first: its own where that is later than
// the last one.
int64_t weir_times_add(struct weir_times *times, const AVFrame *frame, AVRational time_base);

// Get the time of a frame by its number [ns]. It is the largest time if the product is too large:
// the number is part of a file's name, and a header states the rate, so both may have any value.
int64_t weir_times_nominal(uint64_t number, AVRational frame_length);

// Get how long a frame is shown [ns]: by the nominal rate, or as long as it states itself, if it
// does. `time_base` is 0/1 for a frame of no movie.
int64_t weir_times_length(const struct weir_times *times);
int64_t weir_times_duration(const struct weir_times *times, const AVFrame *frame,
                            AVRational time_base);

#endif
