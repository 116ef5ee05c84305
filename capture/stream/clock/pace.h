// SPDX-License-Identifier: MIT
// The pace: which frames of a fast renderer a movie takes, evenly and without drift.
#ifndef WEIR_CAPTURE_STREAM_CLOCK_PACE_H
#define WEIR_CAPTURE_STREAM_CLOCK_PACE_H

#include <stdbool.h>
#include <stdint.h>

// A schedule with a frame every den / num seconds.
struct weir_pace {
    uint64_t interval_ns; // rounded down
    uint64_t rest, num;   // of the interval: rest / num [ns]
    bool has_first, has_spacing;
    int64_t first_ns;          // time of the first frame; the times below are counted from it
    uint64_t last_ns;          // time of the last frame, taken or not
    uint64_t spacing_ns;       // mean from one frame to the next, lately; interval_ns at most
    uint64_t due_ns, due_rest; // time of the next frame, due_ns + due_rest / num [ns]
};

// `num` and `den` are 1 .. INT32_MAX. With a `num` of 0 every frame is taken.
void weir_pace_init(struct weir_pace *pace, uint32_t num, uint32_t den);

// Take the frame at this time, or skip it: false. Times rise. The first frame is taken.
//
// Each time in the schedule gets the frame nearest to it: a frame that comes too early is taken if
// the next one, by the spacing of the frames before, would be too late by more. The schedule does
// not move with the frames, so 60 of 144 frames a second are 60 in every second. But a frame that
// is late by more than half an interval begins it anew, so that frames which come at the pace, with
// some jitter, are all taken.
bool weir_pace_takes(struct weir_pace *pace, int64_t frame_ns);

#endif
