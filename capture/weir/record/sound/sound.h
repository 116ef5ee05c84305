// SPDX-License-Identifier: MIT
// Sound from PipeWire: what the program plays, or the desktop, into a ring.
#ifndef WEIR_CAPTURE_WEIR_RECORD_SOUND_SOUND_H
#define WEIR_CAPTURE_WEIR_RECORD_SOUND_SOUND_H

#include <stdbool.h>

#include "capture/weir/record/sound/ring.h"

enum record_sound_kind {
    RECORD_SOUND_NONE,
    RECORD_SOUND_PROGRAM, // what it and its children play
    RECORD_SOUND_DESKTOP, // what is heard at the default output
};

struct record_sound;

// True if this program was built with PipeWire's headers.
bool record_sound_is_built(void);

// Begin to record. `program` is the process of a program that is no child of this one; 0: it is.
// NULL: there is no sound, and a line says why, unless `quiet` or none is wanted.
struct record_sound *record_sound_start(enum record_sound_kind kind, int64_t program, bool quiet);
// End. Says so where nothing was heard, unless `quiet`. NULL is allowed.
void record_sound_stop(struct record_sound *sound, bool quiet);

// Get what is recorded; it lives as long as the sound. NULL of NULL.
const struct record_ring *record_sound_ring(const struct record_sound *sound);

#endif
