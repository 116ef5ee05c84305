// SPDX-License-Identifier: MIT
// An audio track on the writer's side: reads calls from its buffer, and writes samples.
#ifndef WEIR_CAPTURE_STREAM_AUDIO_TRACK_H
#define WEIR_CAPTURE_STREAM_AUDIO_TRACK_H

#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <weir/audio.h>
#include <weir/log.h>
#include <weir/result.h>

#include "capture/stream/audio/buffer.h"
#include "capture/stream/audio/timeline.h"
#include "capture/stream/clock/pauses.h"
#include "capture/stream/mux/mux.h"
#include "capture/stream/stats.h"

// What a line of the log says, and why.
struct weir_audio_loss {
    const char *what; // became of the samples
    const char *why;
};

// The losses of a track, in one line a second at most. For one thread, and losses of one kind. Zero
// all but the first three.
struct weir_audio_log {
    const struct weir_log *log;
    uint32_t track;
    struct weir_audio_loss loss;

    uint64_t num_logged, num_lost;
    uint64_t logged_ns; // time of the last line, by the clock; 0 before the first
};

// Count a loss, and log it unless the last line is of the last second. `time_ns` is that of the
// call, by the host's clock.
void weir_audio_log_lost(struct weir_audio_log *log, uint64_t num_samples, int64_t time_ns,
                         uint64_t now_ns);

// Log the rest.
void weir_audio_log_finish(struct weir_audio_log *log);

// What is still to be put of the samples that were placed last, in this order.
struct weir_pcm_rest {
    uint64_t jump, silence;
    int drift;
    uint32_t num_samples;
};

struct weir_pcm_track {
    uint32_t index; // of the capture's tracks
    struct weir_audio_track format;
    uint32_t sample_size; // [bytes]
    struct weir_audio_buffer buffer;

    // Of the thread that hands samples over.
    struct weir_counts *received;
    uint64_t num_missing; // samples that found no room after the last ones that did
    struct weir_audio_log full;
    atomic_bool is_waiting; // for room
    sem_t room;

    // Of the writer.
    struct weir_counts *counts;
    struct weir_pauses *pauses;
    struct weir_audio_call call; // what is not placed yet of the call that was begun
    uint32_t pause_number;       // of the pauses before the last samples that were placed
    bool is_undecided;           // what comes next may be in a pause, which has no end yet
    struct weir_audio_timeline timeline;
    struct weir_pcm_rest rest;
    uint8_t *chunk;
    uint32_t num_samples, chunk_room; // in the chunk [samples]
    uint64_t position;                // where the chunk begins in the track [samples]
    struct weir_audio_log gaps, cuts;
};

// Get where the next sample goes.
uint64_t weir_pcm_track_end(const struct weir_pcm_track *track);

// Get how many samples must be taken for the buffer to have room again. 0: it has room.
uint64_t weir_pcm_track_excess(const struct weir_pcm_track *track);

// Give the sink what it can use of the audio that waits, and as much more as the buffer has no room
// for; `all`: whatever there is, also where a pause without an end begins. `zero_ns` is the time of
// the first frame by the movie clock. Returns the failure of the sink, if any.
enum weir_result weir_pcm_track_write(struct weir_pcm_track *track, struct weir_mux *mux,
                                      int64_t zero_ns, const struct weir_mux_span *span, bool all);

// Give the sink silence up to a position, behind the audio that was written.
enum weir_result weir_pcm_track_fill(struct weir_pcm_track *track, struct weir_mux *mux,
                                     int64_t position);

// Drop audio that waits, the oldest first, until the buffer has at most `most` bytes.
void weir_pcm_track_drop(struct weir_pcm_track *track, size_t most,
                         enum weir_audio_drop_reason reason);

#endif
