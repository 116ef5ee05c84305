// SPDX-License-Identifier: MIT
// The time code of movies that are joined: the whole has that of the first one.
#include "capture/weir/join/timecode.h"

#include "capture/weir/remux/timecode.h"

// Get how many numbers the whole has before a movie. Those of segments are rounded from the start
// of the recording, as the capture does it.
static uint64_t num_frames_before(const struct join_plan *plan, size_t i)
{
    const struct join_input *first = &plan->inputs[0];
    const uint32_t ticks_per_second = plan->movie.ticks_per_second;
    const uint64_t origin = plan->are_segments ? first->segment.start_ticks : 0;
    return weir_timecode_num_frames(&first->moov.timecode, origin + plan->parts[i].start_ticks,
                                    ticks_per_second) -
           weir_timecode_num_frames(&first->moov.timecode, origin, ticks_per_second);
}

struct weir_timecode join_timecode_at(const struct join_plan *plan, size_t i)
{
    return weir_timecode_after(&plan->inputs[0].moov.timecode.timecode, num_frames_before(plan, i));
}

// True if the time code of a movie is another one than the whole has there.
static bool differs(const struct join_plan *plan, size_t i)
{
    if (!plan->inputs[i].moov.has_timecode || !plan->inputs[0].moov.has_timecode) {
        return plan->inputs[i].moov.has_timecode;
    }
    const struct weir_timecode whole = join_timecode_at(plan, i);
    const struct weir_timecode *own = &plan->inputs[i].moov.timecode.timecode;
    return own->start != whole.start || own->frames_per_second != whole.frames_per_second ||
           own->is_drop != whole.is_drop;
}

bool join_timecode_insert(struct join_plan *plan)
{
    const struct weir_moov *first = &plan->inputs[0].moov;
    struct remux_movie *movie = &plan->movie;
    for (size_t i = plan->num_parts; i-- > 1;) {
        if (differs(plan, i)) {
            plan->num_other_timecodes++;
            plan->first_other_timecode = i;
        }
    }
    if (!first->has_timecode) {
        return true;
    }
    const struct weir_timecode_head head = {
        .bytes = plan->head,
        .size = movie->head_size,
        .moov = movie->moov,
        .num_tracks = 1 + plan->tracks.num,
        .ticks_per_second = movie->ticks_per_second,
        .ticks_per_frame = movie->ticks_per_frame,
        .rate_num = first->timecode.rate_num,
        .rate_den = first->timecode.rate_den,
    };
    movie->has_timecode = remux_timecode_insert(&first->timecode.timecode, &head, &plan->head,
                                                &movie->head_size);
    movie->head = plan->head;
    return movie->has_timecode;
}
