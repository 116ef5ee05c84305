// SPDX-License-Identifier: MIT
// No sound: for a build without PipeWire's headers.
#include <stddef.h>

#include "capture/weir/common/report.h"
#include "capture/weir/record/sound/sound.h"

bool record_sound_is_built(void)
{
    return false;
}

struct record_sound *record_sound_start(enum record_sound_kind kind, int64_t program, bool quiet)
{
    (void)program;
    cli_report_note(quiet || kind == RECORD_SOUND_NONE,
                    "there is no sound in the movies: this weir was built without PipeWire");
    return NULL;
}

void record_sound_stop(struct record_sound *sound, bool quiet)
{
    (void)sound;
    (void)quiet;
}

const struct record_ring *record_sound_ring(const struct record_sound *sound)
{
    (void)sound;
    return NULL;
}
