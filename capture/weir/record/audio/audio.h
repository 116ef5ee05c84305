// SPDX-License-Identifier: MIT
// Audio from PipeWire: what the program plays, or the desktop, into a ring.
#ifndef WEIR_CAPTURE_WEIR_RECORD_AUDIO_AUDIO_H
#define WEIR_CAPTURE_WEIR_RECORD_AUDIO_AUDIO_H

#include <stdbool.h>

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

#endif
