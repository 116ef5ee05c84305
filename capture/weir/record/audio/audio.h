// SPDX-License-Identifier: MIT
// Audio from PipeWire: what the program plays, or the desktop, into a ring.
#ifndef WEIR_CAPTURE_WEIR_RECORD_AUDIO_AUDIO_H
#define WEIR_CAPTURE_WEIR_RECORD_AUDIO_AUDIO_H

#include <stdbool.h>

#include <weir/capture.h>

#include "capture/weir/record/audio/ring.h"

enum record_audio_kind {
    RECORD_AUDIO_NONE,
    RECORD_AUDIO_PROGRAM, // what it and its children play
    RECORD_AUDIO_DESKTOP, // what is heard at the default output
};

struct record_audio;

// True if this program was built with PipeWire's headers.
bool record_audio_is_built(void);

// Begin to record. `program` is the process of a program that is no child of this one; 0: it is.
// NULL: there is no audio, and a line says why, unless `quiet` or none is wanted.
struct record_audio *record_audio_start(enum record_audio_kind kind, int64_t program, bool quiet);
// End. Says so where nothing was heard, unless `quiet`. NULL is allowed.
void record_audio_stop(struct record_audio *audio, bool quiet);

// Get what is recorded; it lives as long as the audio. NULL of NULL.
const struct record_ring *record_audio_ring(const struct record_audio *audio);

// A feed: hands the audio of a take to its capture, on a thread of its own, since a capture whose
// disk is behind lets its callers wait.

struct record_feed;

// What the samples are, for weir_capture_params.audio.tracks.
extern const struct weir_audio_track record_feed_track;

// Begin with the samples of a time, that of the first frame, which may have come a while ago. Where
// there are none, and when none have come for half a second, there is silence. Borrows both. NULL:
// there is no thread or no memory.
struct record_feed *record_feed_start(const struct record_ring *ring, weir_capture *capture,
                                      int64_t start_ns);
// Hand over what there is up to that time, and silence where there is nothing; then end. NULL is
// allowed.
void record_feed_end(struct record_feed *feed, int64_t end_ns);

#endif
