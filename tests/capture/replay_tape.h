// SPDX-License-Identifier: MIT
// A recording for tests of replays: every frame and sample is a function of its number, so that the
// movie of any part of it can be made again.
#ifndef WEIR_TESTS_CAPTURE_REPLAY_TAPE_H
#define WEIR_TESTS_CAPTURE_REPLAY_TAPE_H

#include "capture/stream/mux/replay.h"

#define TAPE_SECOND UINT64_C(1000000000)

enum {
    TAPE_SIDE = 64,
    TAPE_FRAME_SIZE = TAPE_SIDE * TAPE_SIDE + 4,
    TAPE_FPS = 60,
    TAPE_NUM_TRACKS = 2
};

extern const struct weir_audio_track tape_tracks[TAPE_NUM_TRACKS];

// A recording of which everything is a function of its number.
struct tape {
    struct weir_mux *mux;
    struct weir_stats stats;
    uint64_t num_frames, lag_ns; // how far sound is behind
    uint64_t positions[TAPE_NUM_TRACKS];
    uint32_t num_tracks;
};

// The time of a frame since the first [ns]; its packet, of TAPE_FRAME_SIZE; the sample of a time.
uint64_t tape_time_of(uint64_t frame);
void tape_fill_frame(uint8_t *packet, uint64_t number);
uint64_t tape_position_at(uint32_t track, uint64_t time_ns);

// Open a replay around a sink, with the first `num_tracks` of tape_tracks. By default it waits for
// its sound as long as that takes, so that a busy machine changes nothing. `params` have no
// statistics. Ends the program where that fails.
void tape_open(struct tape *tape, const struct weir_mux_ops *inner, const char *path,
               struct weir_replay_params params, uint32_t num_tracks);
void tape_close(struct tape *tape, enum weir_result want);

// Write the next frames, and sound up to `lag_ns` before them.
void tape_play(struct tape *tape, uint64_t num_frames);

// Ask for a replay; ask until the one before it is let go of; wait until so many were written or
// have failed.
enum weir_result tape_save(struct tape *tape, const char *path);
void tape_save_next(struct tape *tape, const char *path);
void tape_wait_for_saved(const struct tape *tape, uint64_t num);

struct weir_replay_stats tape_counts(const struct tape *tape);

// Save, write so many frames that the sound of those that were asked for is there, and wait.
void tape_save_and_wait(struct tape *tape, const char *path);

// What FFmpeg finds in a movie: a line for each packet of frames, which ends with its hash, and one
// for each track. The caller frees it.
char *tape_describe(const char *path, uint32_t num_tracks);

// A movie has exactly these frames, and sound from the first of them up to `ends`, as one has that
// the sink itself writes.
void tape_expect_same(const char *path, uint64_t first, uint64_t last, uint32_t num_tracks,
                      const uint64_t *ends, const char *what);

// With memory enough, a replay is the last seconds; with sound up to the end of its last frame.
void tape_expect_window(const char *path, const struct tape *tape, uint64_t window_ns,
                        uint64_t num_frames, const char *what);

#endif
