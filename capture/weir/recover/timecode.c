// SPDX-License-Identifier: MIT
// The time code of a movie that is recovered.
#include "capture/weir/recover/timecode.h"

#include "capture/weir/remux/timecode.h"

// Count the frames that were lost before the first one. A head that is kept has the number of the
// frame that came first, and is changed where a new file is written.
static void move_to_first_frame(struct recover_found *found)
{
    struct weir_timecode_found *timecode = &found->timecode;
    const uint64_t num_lost = weir_timecode_num_frames(timecode, found->frames.start,
                                                       found->track.ticks_per_second);
    timecode->timecode = weir_timecode_after(&timecode->timecode, num_lost);
    if (found->head && num_lost > 0) {
        struct weir_boxes sample = {.bytes = found->head + timecode->sample, .room = 4};
        weir_boxes_u32(&sample, timecode->timecode.start);
        found->is_in_place = false;
    }
}

const char *recover_timecode_settle(struct recover_found *found, const char *given)
{
    if (found->has_timecode) {
        move_to_first_frame(found);
    }
    found->is_timecode_unused = given && (found->has_timecode || found->state != RECOVER_SALVAGED);
    if (!given || found->is_timecode_unused) {
        return NULL;
    }
    struct weir_timecode_found *timecode = &found->timecode;
    *timecode = (struct weir_timecode_found){.rate_num = found->track.ticks_per_second,
                                             .rate_den = found->ticks_per_frame};
    const char *wrong = weir_timecode_parse(given, timecode->rate_num, timecode->rate_den,
                                            &timecode->timecode);
    found->has_timecode = !wrong;
    found->is_timecode_lost = wrong && found->is_timecode_lost;
    return wrong;
}

bool recover_timecode_insert(struct recover_found *found, uint32_t num_tracks)
{
    const struct weir_timecode_head head = {
        .bytes = found->head,
        .size = found->head_size,
        .moov = found->moov,
        .num_tracks = num_tracks,
        .ticks_per_second = found->track.ticks_per_second,
        .ticks_per_frame = found->ticks_per_frame,
        .rate_num = found->timecode.rate_num,
        .rate_den = found->timecode.rate_den,
    };
    return remux_timecode_insert(&found->timecode.timecode, &head, &found->head, &found->head_size);
}
