// SPDX-License-Identifier: MIT
// The timeline of an audio track: where the samples of a call go, by its time and by what is there.
#ifndef WEIR_CAPTURE_STREAM_AUDIO_TIMELINE_H
#define WEIR_CAPTURE_STREAM_AUDIO_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>

#include "capture/stream/audio/buffer.h"

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

#endif
