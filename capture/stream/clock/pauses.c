// SPDX-License-Identifier: MIT
// Pauses: spans of the host's time that a movie leaves out, and the movie clock, which stands still
// in them.
#include "capture/stream/clock/clock.h"

#include <stdlib.h>

#include "capture/base/grow.h"

#define FIRST_ROOM 64u

bool weir_pauses_init(struct weir_pauses *pauses)
{
    *pauses = (struct weir_pauses){.room = FIRST_ROOM};
    pauses->items = calloc(FIRST_ROOM, sizeof(pauses->items[0]));
    if (pauses->items) {
        pthread_mutex_init(&pauses->lock, NULL);
    }
    return pauses->items;
}

void weir_pauses_finish(struct weir_pauses *pauses)
{
    free(pauses->items);
    pauses->items = NULL;
    pthread_mutex_destroy(&pauses->lock);
}

static uint64_t length_of(const struct weir_pause *pause)
{
    return (uint64_t)pause->end_ns - (uint64_t)pause->begin_ns;
}

bool weir_pauses_begin(struct weir_pauses *pauses, int64_t time_ns)
{
    pthread_mutex_lock(&pauses->lock);
    struct weir_pause *items = weir_grow(pauses->items, pauses->num, &pauses->room,
                                         sizeof(items[0]));
    if (items) {
        const struct weir_pause *last = pauses->num > 0 ? &items[pauses->num - 1] : NULL;
        pauses->items = items;
        items[pauses->num++] = (struct weir_pause){
            .begin_ns = time_ns,
            .end_ns = INT64_MAX,
            .before_ns = last ? last->before_ns + length_of(last) : 0,
        };
        pauses->is_open = true;
    }
    pthread_mutex_unlock(&pauses->lock);
    return items;
}

void weir_pauses_end(struct weir_pauses *pauses, int64_t time_ns)
{
    pthread_mutex_lock(&pauses->lock);
    pauses->items[pauses->num - 1].end_ns = time_ns;
    pauses->is_open = false;
    pthread_mutex_unlock(&pauses->lock);
}

// Get how many pauses begin at a time or before it.
static uint32_t num_begun(const struct weir_pauses *pauses, int64_t time_ns)
{
    uint32_t least = 0, most = pauses->num;
    while (least < most) {
        const uint32_t middle = least + (most - least) / 2;
        if (pauses->items[middle].begin_ns <= time_ns) {
            least = middle + 1;
        } else {
            most = middle;
        }
    }
    return least;
}

struct weir_pause_place weir_pauses_place(const struct weir_pauses *pauses, int64_t time_ns)
{
    const uint32_t number = num_begun(pauses, time_ns);
    const struct weir_pause *pause = number > 0 ? &pauses->items[number - 1] : NULL;
    const bool is_open = pause && pauses->is_open && number == pauses->num;
    const bool is_paused = is_open || (pause && time_ns < pause->end_ns);
    const int64_t from_ns = is_paused ? pause->begin_ns : time_ns;
    const uint64_t less_ns = is_paused ? pause->before_ns
                             : pause   ? pause->before_ns + length_of(pause)
                                       : 0;
    return (struct weir_pause_place){
        // Not below the begin of the first pause, so nothing overflows.
        .time_ns = (int64_t)((uint64_t)from_ns - less_ns),
        .until_ns = is_paused              ? pause->end_ns
                    : number < pauses->num ? pauses->items[number].begin_ns
                                           : INT64_MAX,
        .number = number,
        .is_paused = is_paused,
        .is_open = is_open,
    };
}

struct weir_pause_place weir_pauses_place_shared(struct weir_pauses *pauses, int64_t time_ns)
{
    pthread_mutex_lock(&pauses->lock);
    const struct weir_pause_place place = weir_pauses_place(pauses, time_ns);
    pthread_mutex_unlock(&pauses->lock);
    return place;
}
