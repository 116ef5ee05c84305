// SPDX-License-Identifier: MIT
// The audio of a capture: accepts samples on any thread, and writes them on the writer's.
#ifndef WEIR_CAPTURE_STREAM_AUDIO_AUDIO_H
#define WEIR_CAPTURE_STREAM_AUDIO_AUDIO_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <weir/capture.h>
#include <weir/log.h>
#include <weir/result.h>

#include "capture/stream/audio/track.h"
#include "capture/stream/clock/pauses.h"
#include "capture/stream/mux/mux.h"
#include "capture/stream/ring/ring.h"
#include "capture/stream/stats.h"

struct weir_audio_params {
    const struct weir_audio_track *tracks;
    uint32_t num_tracks;
    uint32_t buffer_ms;
    uint64_t max_gap_ns;       // the longest gap that is filled with silence
    uint64_t max_frame_gap_ns; // the longest gap between two frames of a movie
    bool waits;                // for room in a buffer
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
    int64_t zero_ns;  // of the movie's first frame, by the movie clock
    uint64_t last_ns; // of the last frame, since that one
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

#endif
