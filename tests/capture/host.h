// SPDX-License-Identifier: MIT
// A host that can record the same twice: frames at drawn times, with pauses, and two audio tracks
// whose samples say their number; and its movies, put behind each other by weir join.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <weir/capture.h>

#include "movies.h"

#define MS INT64_C(1000000)
#define SECOND (1000 * MS)

enum { HOST_MAX_FRAMES = 256, HOST_MAX_SEGMENTS = 32, HOST_NUM_TRACKS = 2 };

extern const struct weir_audio_track host_tracks[HOST_NUM_TRACKS];

struct host {
    int num_frames;
    int64_t times[HOST_MAX_FRAMES]; // [ns], as all times here
    bool is_white[HOST_MAX_FRAMES];
    bool pauses_before[HOST_MAX_FRAMES]; // for five seconds, up to the frame
    // Samples first, first + 1, ... of each track, of which number 0 is at audio_zero. They come in
    // calls of a hundredth of a second, `lag` late, with times that are off by up to the jitter.
    int64_t audio_zero, audio_end, audio_jitter, lag[HOST_NUM_TRACKS];
    uint64_t first[HOST_NUM_TRACKS], seed;
    int64_t end; // at which it is closed. 0: at no time
};

// Draw frames that are off by up to a jitter; `is_thin`: a fifth of them are missing, and there are
// pauses. Audio begins half a second before them.
struct host host_draw(int num_frames, int64_t frame_ns, int64_t jitter_ns, bool is_thin);

// Record it, with its tracks. `replay`: save one there at the end; or NULL.
struct weir_capture_stats host_record(const struct host *host,
                                      const struct weir_capture_params *params, const char *replay);

// The number of a sample as it stands in a movie, counted from 1; 0: it is silent.
uint32_t host_sample(const struct movies *movies, int track, uint64_t position);
uint64_t host_num_samples(const struct movies *movies, int track);

// Compare with a movie that lacks frames begin .. end - 1, whose audio is silence, or missing at
// the end. Returns how many samples of the first track are silent, and were not.
uint64_t host_expect_gap(const char *what, const struct movies *got, const struct movies *want,
                         int begin, int end);

// Run weir join; `option` may be NULL. Returns its status; `warns`: it says something of time code.
int host_join(char *const *files, int num, const char *option, const char *joined, bool *warns);
