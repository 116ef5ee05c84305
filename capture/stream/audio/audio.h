// SPDX-License-Identifier: MIT
// The audio of a capture: accepts samples on any thread, and writes them on the writer's. A track
// reads calls from its buffer, and writes samples where its timeline says.
#pragma once

#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <weir/audio.h>
#include <weir/capture.h>
#include <weir/log.h>
#include <weir/result.h>

#include "capture/stream/clock/clock.h"
#include "capture/stream/mux/mux.h"
#include "capture/stream/ring/ring.h"
#include "capture/stream/stats.h"

// A call of the host that hands over samples of an audio track.
struct weir_audio_call {
    int64_t time_ns;      // of the first sample
    uint32_t num_samples; // above 0
    uint32_t num_missing; // samples before them that found no room
    bool is_rest;         // of the call before it, which found room for a part only
};

// One producer, one consumer, no lock. A call is stored as its struct and its samples behind it.
struct weir_audio_buffer {
    uint8_t *bytes;
    size_t size; // [bytes]
    uint32_t sample_size;
    _Atomic uint64_t head, tail; // counters of bytes, not wrapped; head is the producer's
};

// Make room for `num_samples` in calls of 32 or more. False: out of memory.
bool weir_audio_buffer_init(struct weir_audio_buffer *buffer, uint32_t num_samples,
                            uint32_t sample_size);
void weir_audio_buffer_finish(struct weir_audio_buffer *buffer);

// Producer: store a call as far as there is room. Returns how many of its samples were stored.
uint32_t weir_audio_buffer_push(struct weir_audio_buffer *buffer,
                                const struct weir_audio_call *call, const uint8_t *samples);

// Either side: get how full it is [bytes].
size_t weir_audio_buffer_filled(const struct weir_audio_buffer *buffer);

// Consumer: begin with the oldest call. False: there is none.
bool weir_audio_buffer_begin(struct weir_audio_buffer *buffer, struct weir_audio_call *call);

// Consumer: take the next samples of the call, all of which must be taken before the next one
// begins. NULL: leave them out.
void weir_audio_buffer_read(struct weir_audio_buffer *buffer, uint8_t *samples,
                            uint32_t num_samples);

struct weir_audio_timeline {
    uint32_t sample_rate;
    uint64_t max_gap;    // the longest silence before a call [samples]
    uint64_t end;        // from here on there is no room
    uint64_t resume;     // where audio goes on without silence before it, if above `next`
    bool is_placed;      // a call was placed
    bool has_seam;       // the next call does not follow, its time says where it goes
    bool is_cut;         // all of the last call was cut
    uint64_t next;       // where the next sample goes
    int64_t window_end;  // of the calls that are watched for drift
    int64_t least, most; // how far off these were
    // Samples that are still to be repeated (above 0) or left out (below 0), one a call.
    int64_t drift;
};

// What becomes of a call: after a jump, `silence` before it, without its first `cut` samples.
struct weir_audio_place {
    uint64_t jump; // positions that are left empty
    uint64_t silence;
    uint32_t cut;
    int drift; // 1: the first sample that is left comes twice; -1: it is left out
};

void weir_audio_timeline_init(struct weir_audio_timeline *timeline, uint32_t sample_rate,
                              uint64_t max_gap_ns);

// Get the position of a time, rounded to the nearest. 0 is the time of the first frame [samples].
int64_t weir_audio_position(int64_t time_ns, uint32_t sample_rate);

// Get the time since another one; both may be any numbers. Bounded by half of what there are [ns].
int64_t weir_audio_time_since(int64_t time_ns, int64_t zero_ns);

// Place a call, whose time is that since the first frame; <weir/capture.h> has the rules.
struct weir_audio_place weir_audio_timeline_place(struct weir_audio_timeline *timeline,
                                                  const struct weir_audio_call *call);

// Let the next call be placed by its time, as the first one is.
void weir_audio_timeline_break(struct weir_audio_timeline *timeline);

// Place silence up to a position. Returns how many samples of it are missing there.
uint64_t weir_audio_timeline_fill(struct weir_audio_timeline *timeline, int64_t position);

// Go on at a later position, with nothing before it. Returns how many positions are left empty.
uint64_t weir_audio_timeline_jump(struct weir_audio_timeline *timeline, uint64_t position);

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

// Count a loss, and log it unless the last line is of the last second. `time_ns`: since the
// first frame; below 0: not known.
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
    bool is_offline;                  // all chunks are full but the last one
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

struct weir_audio_params {
    const struct weir_audio_track *tracks;
    uint32_t num_tracks;
    uint32_t buffer_ms;
    uint64_t max_gap_ns;       // the longest gap that is filled with silence
    uint64_t max_frame_gap_ns; // the longest gap between two frames of a movie
    bool waits;                // for room in a buffer: frames are not live
    uint32_t ticks_per_second;
    struct weir_pauses *pauses;
    struct weir_stats *stats;
    const struct weir_log *log; // borrowed
    struct weir_ring *ring;     // borrowed; its consumer is woken when audio is to be written
};

struct weir_audio {
    struct weir_audio_params params;
    struct weir_pcm_track tracks[WEIR_MAX_AUDIO_TRACKS];
    atomic_bool is_woken; // and has not begun to write since

    // Of the writer.
    bool has_begun;
    uint64_t due_ticks; // offline: of the frame before the one that is written next; 0: of none
    int64_t zero_ns;    // of the movie's first frame, by the movie clock
    uint64_t last_ns;   // of the last frame, since that one
};

// Fill in the defaults of audio, and check its ranges; an error names the field.
// Errors: WEIR_ERROR_INVALID, WEIR_ERROR_UNSUPPORTED (a sink without audio).
enum weir_result weir_audio_check_params(const struct weir_log *log,
                                         struct weir_capture_params *params);

// Errors: WEIR_ERROR_OUT_OF_MEMORY, which is logged. Finish it in every case.
enum weir_result weir_audio_init(struct weir_audio *audio, const struct weir_audio_params *params);
void weir_audio_finish(struct weir_audio *audio);

// Hand over samples of a track: see weir_capture_audio(). WEIR_DROPPED: some found no room.
enum weir_result weir_audio_push(struct weir_audio *audio, uint32_t track, const uint8_t *samples,
                                 uint32_t num_samples, int64_t time_ns);

// The rest is for the writer.

// The first frame is written: audio from now on has a place in the movie.
void weir_audio_begin(struct weir_audio *audio, int64_t zero_ns);

// A frame is written. After a gap that no movie can say audio goes on with the frame: there is no
// silence in that gap.
void weir_audio_frame(struct weir_audio *audio, uint64_t frame_ns);

// Write what waits, where it is a fragment's worth; `all`: whatever there is, also where a pause
// without an end begins. Before weir_audio_begin(), and in such a pause, it is kept, as far as
// there is room. Audio of which the sink does not know yet where it belongs waits until the buffer
// is nearly full. Returns the failure of the sink, if any.
enum weir_result weir_audio_write(struct weir_audio *audio, struct weir_mux *mux, bool all);

// Give tracks without audio silence, up to a time that long before a frame's.
enum weir_result weir_audio_follow(struct weir_audio *audio, struct weir_mux *mux,
                                   uint64_t frame_ns);

// Drop what waits, after a failure or where no frame came.
void weir_audio_drop(struct weir_audio *audio, enum weir_audio_drop_reason reason);
