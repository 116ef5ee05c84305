// SPDX-License-Identifier: MIT
// The replay: a sink around another one that keeps the last seconds of what goes through it in
// memory, and writes them to a movie of their own when asked, on a thread of its own.
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include <weir/capture.h>

#include "capture/stream/mux/mux.h"
#include "capture/stream/stats.h"

// Each record, its head and its data, takes a multiple of this [bytes].
#define WEIR_REPLAY_UNIT 64u

// The head of a record. Its data follows at WEIR_REPLAY_UNIT.
struct weir_replay_record {
    // As the recording has it, and of samples time_ns is their end. Size 0: the next record begins
    // the ring again.
    struct weir_mux_packet packet;
    uint64_t room; // of the record [bytes]
};

// The latest frames and samples, in the order in which they were written, in a ring of bytes.
// Without threads. Offsets grow for ever; the place in the ring is their rest by `size`.
struct weir_replay_memory {
    uint8_t *bytes;
    uint64_t size, window_ns;
    uint64_t head;   // where the next record goes
    uint64_t oldest; // the first record that is kept
    uint64_t pin;    // the first record that must stay, kept or not; UINT64_MAX: none
    bool has_frame;
    uint64_t newest_ns; // time of the latest frame
};

// Take the memory, and touch it. What is older than `window_ns` is not kept, except for the frame
// that was shown then. False: out of memory.
bool weir_replay_memory_init(struct weir_replay_memory *memory, uint64_t size, uint64_t window_ns);
void weir_replay_memory_finish(struct weir_replay_memory *memory);

// Get what a record takes [bytes].
uint64_t weir_replay_record_room(const struct weir_mux_packet *packet);

// Make room for a record of a packet. Old records go. Returns where its data is to be put before
// the record is added. NULL: what is pinned leaves no room, or it takes more than the whole memory.
uint8_t *weir_replay_memory_reserve(struct weir_replay_memory *memory,
                                    const struct weir_mux_packet *packet);
void weir_replay_memory_add(struct weir_replay_memory *memory);

// Forget all records. What is pinned stays.
void weir_replay_memory_forget(struct weir_replay_memory *memory);

// Get the record at an offset, which moves beyond a wrap. NULL: there is none yet.
const struct weir_replay_record *weir_replay_memory_at(const struct weir_replay_memory *memory,
                                                       uint64_t *offset);
struct weir_replay {
    struct weir_mux base;
    struct weir_mux *inner;
    struct weir_mux_params movie; // of a replay, but for its path and format
    struct weir_audio_track tracks[WEIR_MAX_AUDIO_TRACKS];
    struct weir_stats *stats;
    struct weir_log log;
    uint64_t patience_ns;
    const int64_t *first_ns;
    uint32_t constant_ticks;
    bool has_begun;     // of the writer's thread: a packet came
    uint64_t origin_ns; // time of the first packet, at which sound has position 0
    uint64_t last_ns;   // time of the last packet
    pthread_t thread;

    pthread_mutex_t mutex; // protects the members from here on, but not the data of records
    pthread_cond_t changed;
    struct weir_replay_memory memory;
    uint32_t format;               // number, of the frames in memory: a movie has one
    char *path;                    // of the movie that is asked for or written; NULL: none
    uint64_t asked_head, asked_ns; // head, and time of the latest frame, when it was asked for
    uint64_t end_ns;               // when that movie ends
    bool has_told_no_room; // for packets of this format, or beside the movie that is written
    bool is_ended;         // no packet follows
};

// `stats` and `first_ns` are borrowed.
struct weir_replay_params {
    uint64_t window_ns, size; // [bytes]
    uint64_t patience_ns;     // how long a movie waits for sound of its last frames. 0 = a second
    const int64_t *first_ns;  // of the first frame, by the movie clock; set before it is written
    uint32_t constant_ticks;  // of a frame at a constant rate. 0: variable
    struct weir_stats *stats;
};

// Open a sink inside a replay. Its close() waits for the movie that is being written, and returns
// what the sink inside does. A frame that no movie can hold beside those before it, of another
// format or behind a gap above mux->max_gap_ns, makes the memory forget those.
// Errors: those of the sink inside, WEIR_ERROR_OUT_OF_MEMORY (also for the thread).
enum weir_result weir_replay_open(const struct weir_replay_params *params,
                                  const struct weir_mux_ops *inner,
                                  const struct weir_mux_params *mux, struct weir_mux **out);

// Ask for a movie of what is in memory, until a time by the movie clock; see
// weir_capture_save_replay(). Thread safety: any thread.
enum weir_result weir_replay_save(struct weir_replay *replay, const char *path, int64_t clock_ns);

// Write the movie that was asked for (replay_movie.c). Calls are of the replay's own thread.
enum weir_result weir_replay_write_movie(struct weir_replay *replay, uint64_t *num_frames);
