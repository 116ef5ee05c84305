// SPDX-License-Identifier: MIT
// The sound of a capture: takes samples from any thread, and gives them to a sink on the writer's.
#ifndef WEIR_CAPTURE_STREAM_AUDIO_SOUND_H
#define WEIR_CAPTURE_STREAM_AUDIO_SOUND_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <weir/capture.h>
#include <weir/log.h>
#include <weir/result.h>

#include "capture/stream/audio/track.h"
#include "capture/stream/clock/pauses.h"
#include "capture/stream/mux/mux.h"
#include "capture/stream/stats.h"

struct weir_sound_params {
    const struct weir_audio_track *tracks;
    uint32_t num_tracks;
    uint32_t buffer_ms;
    uint64_t max_gap_ns;       // the longest gap that is filled with silence
    uint64_t max_frame_gap_ns; // the longest gap between two frames of a movie
    bool waits;                // for room in a buffer
    struct weir_pauses *pauses;
    struct weir_stats *stats;
    const struct weir_log *log; // borrowed
    // Called when sound is to be written, on the thread that hands it over.
    void (*wake)(void *user);
    void *user;
};

struct weir_sound {
    struct weir_sound_params params;
    struct weir_audio_decoder tracks[WEIR_MAX_AUDIO_TRACKS];
    atomic_bool is_woken; // and has not begun to write since

    // Of the writer.
    bool has_begun;
    int64_t zero_ns;  // of the movie's first frame, by the movie clock
    uint64_t last_ns; // of the last frame, since that one
};

// Fill in the defaults of sound, and check its ranges; an error names the field.
// Errors: WEIR_ERROR_INVALID, WEIR_ERROR_UNSUPPORTED (a sink without sound).
enum weir_result weir_sound_check_params(const struct weir_log *log,
                                         struct weir_capture_params *params);

// Errors: WEIR_ERROR_OUT_OF_MEMORY, which is logged. Finish it in every case.
enum weir_result weir_sound_init(struct weir_sound *sound, const struct weir_sound_params *params);
void weir_sound_finish(struct weir_sound *sound);

// Hand over samples of a track: see weir_capture_audio(). WEIR_DROPPED: some found no room.
enum weir_result weir_sound_push(struct weir_sound *sound, uint32_t track, const uint8_t *samples,
                                 uint32_t num_samples, int64_t time_ns);

// The rest is for the writer.

// The first frame is written: sound from now on has a place in the movie.
void weir_sound_begin(struct weir_sound *sound, int64_t zero_ns);

// A frame is written. After a gap that no movie can say sound goes on with the frame: there is no
// silence in that gap.
void weir_sound_frame(struct weir_sound *sound, uint64_t frame_ns);

// Write what waits, where it is a fragment's worth; `all`: whatever there is, also where a pause
// without an end begins. Before weir_sound_begin(), and in such a pause, it is kept, as far as
// there is room. Sound of which the sink does not know yet where it belongs waits until the buffer
// is nearly full. Returns the failure of the sink, if any.
enum weir_result weir_sound_write(struct weir_sound *sound, struct weir_mux *mux, bool all);

// Give tracks without sound silence, up to a time that long before a frame's.
enum weir_result weir_sound_follow(struct weir_sound *sound, struct weir_mux *mux,
                                   uint64_t frame_ns);

// Drop what waits, after a failure or where no frame came.
void weir_sound_drop(struct weir_sound *sound, enum weir_audio_drop_reason reason);

#endif
