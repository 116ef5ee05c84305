// SPDX-License-Identifier: MIT
// The chapters that wait for the frames of their time, from any thread to the writer.
#include "capture/stream/chapters.h"

#include <stdlib.h>
#include <string.h>

bool weir_pending_chapters_init(struct weir_pending_chapters *chapters, struct weir_pauses *pauses)
{
    *chapters = (struct weir_pending_chapters){.pauses = pauses};
    chapters->items = calloc(WEIR_MAX_CHAPTERS, sizeof(chapters->items[0]));
    pthread_mutex_init(&chapters->lock, NULL);
    return chapters->items;
}

void weir_pending_chapters_finish(struct weir_pending_chapters *chapters)
{
    free(chapters->items);
    chapters->items = NULL;
    pthread_mutex_destroy(&chapters->lock);
}

bool weir_pending_chapters_add(struct weir_pending_chapters *chapters,
                               const struct weir_pending_chapter *chapter, bool *is_first_left_out)
{
    pthread_mutex_lock(&chapters->lock);
    const bool has_room = chapters->num < WEIR_MAX_CHAPTERS;
    if (has_room) {
        uint32_t place = chapters->num++;
        for (; place > 0 && chapters->items[place - 1].time_ns > chapter->time_ns; place--) {
            chapters->items[place] = chapters->items[place - 1];
        }
        chapters->items[place] = *chapter;
    }
    *is_first_left_out = !has_room && !chapters->has_left_out;
    chapters->has_left_out = chapters->has_left_out || !has_room;
    pthread_mutex_unlock(&chapters->lock);
    return has_room;
}

// The movie clock does not go back, so chapters are in the order of its times too.
static uint64_t time_in_movie(const struct weir_pending_chapters *chapters, int64_t first_ns)
{
    const int64_t movie_ns =
        weir_pauses_place_shared(chapters->pauses, chapters->items[0].time_ns).time_ns;
    return movie_ns > first_ns ? (uint64_t)movie_ns - (uint64_t)first_ns : 0;
}

bool weir_pending_chapters_next(struct weir_pending_chapters *chapters, int64_t first_ns,
                                uint64_t until_ns, struct weir_pending_chapter *chapter,
                                uint64_t *time_ns)
{
    pthread_mutex_lock(&chapters->lock);
    *time_ns = chapters->num > 0 ? time_in_movie(chapters, first_ns) : until_ns;
    const bool is_due = *time_ns < until_ns;
    if (is_due) {
        *chapter = chapters->items[0];
        chapters->num--;
        memmove(&chapters->items[0], &chapters->items[1],
                chapters->num * sizeof(chapters->items[0]));
    }
    pthread_mutex_unlock(&chapters->lock);
    return is_due;
}
