// SPDX-License-Identifier: MIT
// The clock of a movie: pauses, which it leaves out, ticks, its integer time base, and the times of
// frames: which are recorded, and what their times become in the movie.
#pragma once

#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

// A time in a message: its format and its arguments, for nanoseconds in a uint64_t.
#define WEIR_SECONDS_FORMAT "%" PRIu64 ".%09" PRIu64 " s"
#define WEIR_SECONDS(ns) (ns) / 1000000000u, (ns) % 1000000000u

// Get the ticks a second for a nominal frame rate. They are 90000 if a frame is then a whole number
// of ticks, else the smallest multiple of the rate's numerator from 60000 on (60000/1001 gives
// 60000, 24000/1001 gives 72000, 165 gives 60060). Rates that no such base fits get 90000, and a
// rounded frame length.
uint32_t weir_ticks_per_second(uint32_t rate_num, uint32_t rate_den);

// Get the nominal length of a frame [ticks], at least 1.
uint32_t weir_ticks_per_frame(uint32_t rate_num, uint32_t rate_den, uint32_t ticks_per_second);

// Convert nanoseconds to ticks, rounded to the nearest.
uint64_t weir_ticks_from_ns(uint64_t time_ns, uint32_t ticks_per_second);

// Convert ticks to nanoseconds, rounded to the nearest. They convert back to the same ticks where
// there are less than 10^9 a second.
uint64_t weir_ticks_to_ns(uint64_t ticks, uint32_t ticks_per_second);

// True if a frame of this rate is a whole number of ticks.
bool weir_ticks_fit(uint32_t rate_num, uint32_t rate_den);

// Get the longest gap between two frames that a movie can store: 2^31 - 1 ticks [ns].
uint64_t weir_ticks_max_gap_ns(uint32_t ticks_per_second);

// The times from begin_ns on and before end_ns, by the host's clock.
struct weir_pause {
    int64_t begin_ns, end_ns; // without an end: INT64_MAX
    uint64_t before_ns;       // the length of all pauses before it
};

// 24 bytes a pause, in their order. One thread makes pauses; it may look at them without the lock.
struct weir_pauses {
    struct weir_pause *items;
    uint32_t num;
    size_t room;
    bool is_open; // the last one has no end yet
    pthread_mutex_t lock;
};

// What the pauses make of a time.
struct weir_pause_place {
    int64_t time_ns;  // by the movie clock; in a pause that of its begin
    int64_t until_ns; // by the host's clock: where the next pause begins, or this one ends
    uint32_t number;  // of the pauses that have begun by then
    bool is_paused;
    bool is_open; // and nobody knows yet when the pause ends
};

// False: out of memory. Room for 64 pauses is made at once; more is made by doubling.
bool weir_pauses_init(struct weir_pauses *pauses);
void weir_pauses_finish(struct weir_pauses *pauses);

// Begin a pause, at a time that is not before the end of the last one. None is open. False: out of
// memory; there is no pause then.
bool weir_pauses_begin(struct weir_pauses *pauses, int64_t time_ns);

// End the pause that is open, at a time that is not before its begin.
void weir_pauses_end(struct weir_pauses *pauses, int64_t time_ns);

// Place a time by the host's clock. The first is for the thread that makes pauses, the second for
// any other.
struct weir_pause_place weir_pauses_place(const struct weir_pauses *pauses, int64_t time_ns);
struct weir_pause_place weir_pauses_place_shared(struct weir_pauses *pauses, int64_t time_ns);

struct weir_times_params {
    uint32_t rate_num, rate_den;         // nominal frames a second
    uint32_t max_rate_num, max_rate_den; // both 0: no limit
    bool constant_rate;
    bool has_segments;                // a movie may begin behind a gap
    const struct weir_pauses *pauses; // borrowed
};

// A schedule with a frame every den / num seconds, for the most frames a second.
struct weir_schedule {
    uint64_t interval_ns; // rounded down
    uint64_t rest, num;   // of the interval: rest / num [ns]. num is 0: every frame is due
    bool has_first, has_spacing;
    int64_t first_ns;          // time of the first frame; the times below are counted from it
    uint64_t last_ns;          // time of the last frame, recorded or not
    uint64_t spacing_ns;       // mean from one frame to the next, lately; interval_ns at most
    uint64_t due_ns, due_rest; // time of the next frame, due_ns + due_rest / num [ns]
};

// For the thread that submits frames. A copy of it, put back, undoes what was done since.
struct weir_times {
    const struct weir_pauses *pauses;
    struct weir_schedule schedule;
    uint32_t ticks_per_second;
    uint32_t ticks_per_frame; // of a constant rate: times are multiples of it. 0: variable rate
    bool has_segments;
    uint64_t max_gap_ns;    // the longest between two frames of a movie
    uint64_t next_point;    // of a constant rate: the first multiple without a frame
    bool has_last;          // a frame came
    int64_t last_ns;        // the host's time of the last frame that came after those before it
    uint64_t last_movie_ns; // and its time in the movie
    bool has_recorded;
    int64_t first_ns;     // of the first recorded frame, by the movie clock
    uint64_t recorded_ns; // of the last one, since the first
};

// What becomes of a frame by its time.
enum weir_times_verdict {
    WEIR_TIMES_RECORD,
    WEIR_TIMES_SKIP, // it comes in a pause, or before it is due
    WEIR_TIMES_BACK, // it is not after the frames before it
    WEIR_TIMES_GAP,  // it is so long after them that the movie cannot go on
};

// The place of a frame in time.
struct weir_times_place {
    enum weir_times_verdict verdict;
    int64_t clock_ns; // by the movie clock, which stands still in pauses
    int64_t since_ns; // since the movie's first frame; 0 where there is none yet
    // The frame's time in the movie, of a constant rate that of the nearest point. Before the first
    // frame 0.
    uint64_t movie_ns;
    uint64_t point; // of a constant rate
};

void weir_times_init(struct weir_times *times, const struct weir_times_params *params);

// Place a frame. Call it once for every frame.
//
// With a most frames a second each time in the schedule gets the frame nearest to it: a frame that
// comes too early is recorded if the next one, by the spacing of the frames before, would be too
// late by more. The schedule does not move with the frames, so 60 of 144 frames a second are 60 in
// every second. But a frame that is late by more than half an interval begins it anew, so that
// frames which come at the rate, with some jitter, are all recorded.
struct weir_times_place weir_times_place(struct weir_times *times, int64_t time_ns);

// Note that a frame is recorded at its place. Returns true for the first one.
bool weir_times_record(struct weir_times *times, const struct weir_times_place *place);

// Get the time in the movie of one by the host's clock. 0: the first recorded frame is not before
// it, or there is none.
uint64_t weir_times_in_movie(const struct weir_times *times, int64_t time_ns);
