// SPDX-License-Identifier: MIT
// The chapters of movies that are joined: the whole has those of all.
#include "capture/weir/join/chapters.h"

#include "capture/movie/chapters_reader.h"

bool join_chapters_add(struct join_plan *plan, struct weir_view *view, uint64_t start,
                       uint64_t length, char refusal[JOIN_REFUSAL_SIZE])
{
    const uint32_t ticks_per_second = plan->movie.ticks_per_second;
    const struct join_input *input = &plan->inputs[plan->num_parts];
    struct weir_chapters own;
    enum weir_result result = WEIR_ERROR_OUT_OF_MEMORY;
    if (weir_chapters_read(view, &input->moov.box, &own)) {
        weir_chapters_cut(&own, weir_chapter_time(length, ticks_per_second));
        result = WEIR_OK;
    }
    for (uint32_t i = 0; i < own.num && result >= WEIR_OK; i++) {
        const uint64_t time = weir_chapter_moved(own.items[i].time, (int64_t)start,
                                                 ticks_per_second);
        result = weir_chapters_add(&plan->chapters, time, own.items[i].title);
        plan->num_lost_chapters += result == WEIR_DROPPED;
    }
    weir_chapters_finish(&own);
    return result >= WEIR_OK ||
           join_refuse(refusal, "there is no memory for the chapters of %s", input->path);
}
