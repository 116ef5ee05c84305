// SPDX-License-Identifier: MIT
// The chapters that wait for the frames of their time, from any thread to the writer.
#include "capture/stream/chapter_queue.h"

#include <stdlib.h>
#include <string.h>

bool weir_chapter_queue_init(struct weir_chapter_queue *queue, struct weir_pauses *pauses)
{
    *queue = (struct weir_chapter_queue){.pauses = pauses};
    queue->items = calloc(WEIR_MAX_CHAPTERS, sizeof(queue->items[0]));
    pthread_mutex_init(&queue->lock, NULL);
    return queue->items;
}

void weir_chapter_queue_finish(struct weir_chapter_queue *queue)
{
    free(queue->items);
    queue->items = NULL;
    pthread_mutex_destroy(&queue->lock);
}

bool weir_chapter_queue_add(struct weir_chapter_queue *queue,
                            const struct weir_chapter_waiting *chapter, bool *tells)
{
    pthread_mutex_lock(&queue->lock);
    const bool has_room = queue->num < WEIR_MAX_CHAPTERS;
    if (has_room) {
        uint32_t place = queue->num++;
        for (; place > 0 && queue->items[place - 1].time_ns > chapter->time_ns; place--) {
            queue->items[place] = queue->items[place - 1];
        }
        queue->items[place] = *chapter;
    }
    *tells = !has_room && !queue->has_told_full;
    queue->has_told_full = queue->has_told_full || !has_room;
    pthread_mutex_unlock(&queue->lock);
    return has_room;
}

// The movie clock does not go back, so chapters are in the order of its times too.
static uint64_t time_in_movie(const struct weir_chapter_queue *queue, int64_t first_ns)
{
    const int64_t movie_ns =
        weir_pauses_place_shared(queue->pauses, queue->items[0].time_ns).time_ns;
    return movie_ns > first_ns ? (uint64_t)movie_ns - (uint64_t)first_ns : 0;
}

bool weir_chapter_queue_take(struct weir_chapter_queue *queue, int64_t first_ns, uint64_t until_ns,
                             struct weir_chapter_waiting *chapter, uint64_t *time_ns)
{
    pthread_mutex_lock(&queue->lock);
    *time_ns = queue->num > 0 ? time_in_movie(queue, first_ns) : until_ns;
    const bool is_taken = *time_ns < until_ns;
    if (is_taken) {
        *chapter = queue->items[0];
        queue->num--;
        memmove(&queue->items[0], &queue->items[1], queue->num * sizeof(queue->items[0]));
    }
    pthread_mutex_unlock(&queue->lock);
    return is_taken;
}
