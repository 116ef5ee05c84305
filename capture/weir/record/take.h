// SPDX-License-Identifier: MIT
// A take: what is recorded of a window from a start to the next stop, and becomes a movie.
#ifndef WEIR_CAPTURE_WEIR_RECORD_TAKE_H
#define WEIR_CAPTURE_WEIR_RECORD_TAKE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <weir/blocks.h>

#include "capture/weir/record/audio/feed.h"
#include "capture/weir/record/record.h"

struct record_take_params {
    const struct record_settings *settings;
    char *path;      // of the movie, whose segments have names that are made of it; the take's
    uint32_t number; // of all takes, from 1 on
    uint32_t window; // its number
    uint32_t width, height;          // of the last frame
    int wake;                        // an eventfd, written to when a slot or the take is done
    const struct record_ring *audio; // NULL: none
    int64_t start_ns;                // the time of the first frame
};

struct record_take {
    struct record_take *next;
    struct record_take_params params;
    weir_capture *capture;
    struct record_feed *feed; // of its audio; NULL: it has none
    int64_t end_ns;           // of the audio
    uint64_t num_frames;      // that the capture has taken
    int64_t first_ns, last_ns;
    bool is_paused, keeps_segments;
    bool is_reported;                // its line was printed
    enum weir_result result;         // the first failure
    struct weir_capture_stats stats; // when it is closed
    pthread_t closer;
    bool has_closer;
    atomic_bool is_closed;
};

// Open the capture of a take. Prints the reason of a failure; NULL then, and the path is freed.
struct record_take *record_take_open(const struct record_take_params *params);

// Hand over a frame: blocks->owner is a struct record_slot, which comes back by
// record_slot_release() whatever the answer is. Errors: those of weir_capture_blocks().
enum weir_result record_take_frame(struct record_take *take, const struct weir_blocks *blocks);

// Pause and resume at a time of CLOCK_MONOTONIC. Frames that were presented before are recorded.
void record_take_pause(struct record_take *take, int64_t now_ns);
void record_take_resume(struct record_take *take, int64_t now_ns);

// Begin to close the movie, on a thread, since the disk may take its time for it. is_closed is set
// when that is done.
void record_take_close(struct record_take *take);
// What is left then: names the movie of a single segment as was asked for, and answers the first
// failure, which was printed.
enum weir_result record_take_finish(struct record_take *take);

void record_take_destroy(struct record_take *take);

#endif
