// SPDX-License-Identifier: MIT
// No audio: for a build without PipeWire's headers.
#include <stddef.h>

#include "capture/weir/common/report.h"
#include "capture/weir/record/audio/audio.h"

bool record_audio_is_built(void)
{
    return false;
}

struct record_audio *record_audio_start(enum record_audio_kind kind, int64_t program, bool quiet)
{
    (void)program;
    cli_report_note(quiet || kind == RECORD_AUDIO_NONE,
                    "the movies have no audio: this weir was built without PipeWire");
    return NULL;
}

void record_audio_stop(struct record_audio *audio, bool quiet)
{
    (void)audio;
    (void)quiet;
}

const struct record_ring *record_audio_ring(const struct record_audio *audio)
{
    (void)audio;
    return NULL;
}
