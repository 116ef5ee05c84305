// SPDX-License-Identifier: MIT
// A recording for tests of replays: every frame and sample is a function of its number, so that the
// movie of any part of it can be made again.
#pragma once

#include "capture/stream/mux/replay.h"

#define REPLAYED_SECOND UINT64_C(1000000000)

enum {
    REPLAYED_SIDE = 64,
    REPLAYED_FRAME_SIZE = REPLAYED_SIDE * REPLAYED_SIDE + 4,
    REPLAYED_FPS = 60,
    REPLAYED_NUM_TRACKS = 2
};

extern const struct weir_audio_track replayed_tracks[REPLAYED_NUM_TRACKS];

// A recording of which everything is a function of its number.
struct replayed {
    struct weir_mux *mux;
    struct weir_stats stats;
    uint64_t num_frames, lag_ns; // how far sound is behind
    uint64_t positions[REPLAYED_NUM_TRACKS];
    uint32_t num_tracks;
};

// The time of a frame since the first [ns]; its packet, of REPLAYED_FRAME_SIZE bytes; the sample of
// a time.
uint64_t replayed_time_of(uint64_t frame);
void replayed_fill_frame(uint8_t *packet, uint64_t number);
uint64_t replayed_position_at(uint32_t track, uint64_t time_ns);

// Open a replay around a sink, with the first `num_tracks` of replayed_tracks. By default it waits
// for its sound as long as that takes, so that a busy machine changes nothing. `params` have no
// statistics. Ends the program where that fails.
void replayed_open(struct replayed *replayed, const struct weir_mux_ops *inner, const char *path,
                   struct weir_replay_params params, uint32_t num_tracks);
void replayed_close(struct replayed *replayed, enum weir_result want);

// Write the next frames, and sound up to `lag_ns` before them.
void replayed_play(struct replayed *replayed, uint64_t num_frames);

// Ask for a replay; ask until the one before it is let go of; wait until so many were written or
// have failed.
enum weir_result replayed_save(struct replayed *replayed, const char *path);
void replayed_save_next(struct replayed *replayed, const char *path);
void replayed_wait_for_saved(const struct replayed *replayed, uint64_t num);

struct weir_replay_stats replayed_counts(const struct replayed *replayed);

// Save, write so many frames that the sound of those that were asked for is there, and wait.
void replayed_save_and_wait(struct replayed *replayed, const char *path);

// A movie has exactly these frames, and sound from the first of them up to `ends`, as one has that
// the sink itself writes.
void replayed_expect_same(const char *path, uint64_t first, uint64_t last, uint32_t num_tracks,
                          const uint64_t *ends, const char *what);

// With memory enough, a replay is the last seconds; with sound up to the end of its last frame.
void replayed_expect_window(const char *path, const struct replayed *replayed, uint64_t window_ns,
                            uint64_t num_frames, const char *what);
