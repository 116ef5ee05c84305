// SPDX-License-Identifier: MIT
// No sound: for a build without PipeWire's headers.
#include "capture/weir/common/report.h"
#include "capture/weir/play/show.h"

struct show_sound *show_sound_open(weir_play *play, bool quiet)
{
    cli_report_note(quiet || weir_play_get_info(play).num_audio == 0,
                    "the movie is silent: this weir was built without PipeWire");
    return NULL;
}

void show_sound_close(struct show_sound *sound)
{
    (void)sound;
}

void show_sound_set(struct show_sound *sound, int64_t time_ns, bool plays)
{
    (void)sound;
    (void)time_ns;
    (void)plays;
}

bool show_sound_get_time(struct show_sound *sound, int64_t *time_ns)
{
    (void)sound;
    (void)time_ns;
    return false;
}
