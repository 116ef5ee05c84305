// SPDX-License-Identifier: MIT
// How many frames are lost, and when the first one of them was shown.
#include "capture/weir/recover/lost.h"

void recover_lost_add(struct recover_found *found, uint64_t ticks, uint64_t num)
{
    if (num > 0 && (found->num_lost == 0 || ticks < found->first_lost)) {
        found->first_lost = ticks;
    }
    found->num_lost += num;
}

// Find the first frame behind which fragments are missing, by their numbers. Returns the number of
// frames if there is none.
static size_t find_first_hole(const struct recover_found *found)
{
    const struct recover_frames *frames = &found->frames;
    const struct recover_sound *sound = &found->sound;
    size_t run = 0;
    for (size_t i = 1; i < frames->num; i++) {
        const struct recover_frame *last = &frames->items[i - 1], *next = &frames->items[i];
        uint64_t num_runs = 0;
        for (; run < sound->num && sound->runs[run].offset < next->offset; run++) {
            num_runs += sound->runs[run].offset > last->offset && !sound->runs[run].is_silence;
        }
        if (last->number > 0 && next->number > last->number + 1 + num_runs) {
            return i - 1;
        }
    }
    return frames->num;
}

void recover_lost_count(struct recover_found *found, uint64_t num_fragments)
{
    const struct recover_frames *frames = &found->frames;
    const uint64_t num_sound = found->sound.num_lost_fragments;
    // Those that were lost before are not counted from the first frame that is left, yet.
    found->first_lost -= found->first_lost < frames->start ? found->first_lost : frames->start;
    if (num_fragments > num_sound) {
        const size_t hole = find_first_hole(found);
        const uint64_t ticks = hole < frames->num
                                   ? frames->items[hole].ticks + found->ticks_per_frame
                                   : 0;
        recover_lost_add(found, ticks, num_fragments - num_sound);
    }
}
