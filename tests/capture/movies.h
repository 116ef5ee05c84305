// SPDX-License-Identifier: MIT
// What FFmpeg reads of a movie, or of several one behind the other: every frame with its
// time, and all samples.
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { MOVIES_MAX_FRAMES = 4096, MOVIES_MAX_TRACKS = 2 };

struct movies_frame {
    int64_t time, duration; // [ticks]
    char hash[33];          // MD5 of its packet
};

// Zero it.
struct movies {
    int num_frames, num_movies;
    struct movies_frame frames[MOVIES_MAX_FRAMES];
    int first[MOVIES_MAX_FRAMES]; // number of the first frame of each movie
    int64_t duration;             // of all frames [ticks]
    uint8_t *sound[MOVIES_MAX_TRACKS];
    size_t sound_size[MOVIES_MAX_TRACKS]; // [bytes]
};

// Append a movie. Its first frame must be at time 0, and comes when the last one before it ends.
void movies_append(struct movies *movies, const char *path, int num_tracks);

// Append take.001.mov and so on for the path take.mov, and remove them.
void movies_append_segments(struct movies *movies, const char *path, int num_tracks);

// Get the path of a segment. It lives until the next call.
const char *segment_path(const char *path, int number);

// Compare frames, times and samples; or only those of the frames, without begin .. end - 1, which
// `got` lacks.
void movies_expect_same(const char *what, const struct movies *got, const struct movies *want);
void movies_expect_frames(const char *what, const struct movies *got, const struct movies *want,
                          int begin, int end);

void movies_finish(struct movies *movies);
