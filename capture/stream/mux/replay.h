// SPDX-License-Identifier: MIT
// The replay: a sink around another one that keeps the last seconds of what goes through it in
// memory, and writes them to a movie of their own when asked, on a thread of its own.
#ifndef WEIR_CAPTURE_STREAM_MUX_REPLAY_H
#define WEIR_CAPTURE_STREAM_MUX_REPLAY_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include <weir/capture.h>

#include "capture/stream/mux/mux.h"
#include "capture/stream/mux/replay_memory.h"
#include "capture/stream/stats.h"

struct weir_replay {
    struct weir_mux base;
    struct weir_mux *inner;
    struct weir_mux_params movie; // of a replay, but for its path and kind
    struct weir_audio_track tracks[WEIR_MAX_AUDIO_TRACKS];
    struct weir_stats *stats;
    struct weir_log log;
    uint64_t patience_ns;
    bool has_begun;      // of the writer's thread: a packet came
    uint64_t origin_ns;  // time of the first packet, at which sound has position 0
    uint64_t last_ns;    // time of the last packet
    uint64_t max_gap_ns; // between two frames of a movie
    pthread_t thread;

    pthread_mutex_t mutex; // protects the members from here on, but not the data of records
    pthread_cond_t changed;
    struct weir_replay_memory memory;
    struct weir_mux_kind kind;     // of the frames in memory: a movie has frames of one kind
    char *path;                    // of the movie that is asked for or written; NULL: none
    uint64_t asked_head, asked_ns; // head, and time of the latest frame, when it was asked for
    struct weir_mux_kind asked_kind;
    bool has_told_no_room; // for packets of this kind, or beside the movie that is written
    bool is_ended;         // no packet follows
};

// `stats` is borrowed.
struct weir_replay_params {
    uint64_t window_ns, size; // [bytes]
    uint64_t patience_ns;     // how long a movie waits for sound of its last frames. 0 = a second
    struct weir_stats *stats;
};

// Open a sink inside a replay. Its close() waits for the movie that is being written, and returns
// what the sink inside does. A frame that no movie can hold beside those before it, of another kind
// or behind a gap above mux->max_gap_ns, makes the memory forget those.
// Errors: those of the sink inside, WEIR_ERROR_OUT_OF_MEMORY (also for the thread).
enum weir_result weir_replay_open(const struct weir_replay_params *params,
                                  const struct weir_mux_ops *inner,
                                  const struct weir_mux_params *mux, struct weir_mux **out);

// Ask for a movie of what is in memory; see weir_capture_save_replay(). Thread safety: any thread.
enum weir_result weir_replay_save(struct weir_replay *replay, const char *path);

// Write the movie that was asked for (replay_movie.c). Calls are of the replay's own thread.
enum weir_result weir_replay_write_movie(struct weir_replay *replay, uint64_t *num_frames);

#endif
