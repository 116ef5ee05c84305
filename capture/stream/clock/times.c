// SPDX-License-Identifier: MIT
// The clock of a movie: pauses, and the movie clock, which stands still in them. Ticks. The times
// of frames: which are recorded, and what their times become in the movie.
#include "capture/stream/clock/clock.h"

#include <stdlib.h>

#include "capture/base/size.h"

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

// Ticks and times.

#define NS_PER_SECOND 1000000000u

// The longest gap between two frames that is filled with repeated ones.
#define MAX_REPEATED_NS 60000000000u
// The longest time since the first frame: 146 years, far from where numbers end.
#define MAX_MOVIE_NS ((uint64_t)INT64_MAX / 2)

uint32_t weir_ticks_per_second(uint32_t rate_num, uint32_t rate_den)
{
    const uint64_t common = 90000, smallest = 60000, largest = 1000000;
    if (common * rate_den % rate_num == 0) {
        return (uint32_t)common;
    }
    const uint64_t num = rate_num / weir_divisor(rate_num, rate_den);
    if (num > largest) {
        return (uint32_t)common;
    }
    return (uint32_t)(num * ((smallest + num - 1) / num));
}

uint32_t weir_ticks_per_frame(uint32_t rate_num, uint32_t rate_den, uint32_t ticks_per_second)
{
    const uint64_t ticks = ((uint64_t)ticks_per_second * rate_den + rate_num / 2) / rate_num;
    if (ticks < 1) {
        return 1;
    }
    return ticks < INT32_MAX ? (uint32_t)ticks : INT32_MAX;
}

uint64_t weir_ticks_from_ns(uint64_t time_ns, uint32_t ticks_per_second)
{
    const uint64_t seconds = time_ns / NS_PER_SECOND, rest = time_ns % NS_PER_SECOND;
    return seconds * ticks_per_second +
           (rest * ticks_per_second + NS_PER_SECOND / 2) / NS_PER_SECOND;
}

uint64_t weir_ticks_to_ns(uint64_t ticks, uint32_t ticks_per_second)
{
    const uint64_t seconds = ticks / ticks_per_second, rest = ticks % ticks_per_second;
    return seconds * NS_PER_SECOND +
           (rest * NS_PER_SECOND + ticks_per_second / 2) / ticks_per_second;
}

bool weir_ticks_fit(uint32_t rate_num, uint32_t rate_den)
{
    return (uint64_t)weir_ticks_per_second(rate_num, rate_den) * rate_den % rate_num == 0;
}

uint64_t weir_ticks_max_gap_ns(uint32_t ticks_per_second)
{
    // One tick less: both ends of the gap are rounded.
    return (uint64_t)(INT32_MAX - 1) * NS_PER_SECOND / ticks_per_second;
}

// A movie of constant rate has no more frames than points: it needs a schedule only where that is
// slower.
static bool needs_schedule(const struct weir_times_params *params)
{
    return params->max_rate_num > 0 &&
           (!params->constant_rate || (uint64_t)params->max_rate_num * params->rate_den <
                                          (uint64_t)params->rate_num * params->max_rate_den);
}

void weir_times_init(struct weir_times *times, const struct weir_times_params *params)
{
    const uint32_t ticks = weir_ticks_per_second(params->rate_num, params->rate_den);
    *times = (struct weir_times){
        .pauses = params->pauses,
        .ticks_per_second = ticks,
        .has_segments = params->has_segments,
        .max_gap_ns = weir_ticks_max_gap_ns(ticks),
    };
    if (needs_schedule(params)) {
        const uint64_t interval = (uint64_t)params->max_rate_den * NS_PER_SECOND;
        times->schedule = (struct weir_schedule){.num = params->max_rate_num,
                                                 .interval_ns = interval / params->max_rate_num,
                                                 .rest = interval % params->max_rate_num};
    }
    if (params->constant_rate) {
        times->ticks_per_frame = weir_ticks_per_frame(params->rate_num, params->rate_den, ticks);
        times->max_gap_ns = MAX_REPEATED_NS;
    }
}

// Get the time of a frame since the first, and follow the spacing of frames: the mean of about the
// last eight, in which a pause counts as one interval.
static uint64_t follow_spacing(struct weir_schedule *schedule, int64_t frame_ns)
{
    if (!schedule->has_first) {
        schedule->has_first = true;
        schedule->first_ns = frame_ns;
        return 0;
    }
    const uint64_t time_ns = (uint64_t)frame_ns - (uint64_t)schedule->first_ns;
    const uint64_t since_ns = time_ns - schedule->last_ns;
    const uint64_t spacing_ns = since_ns < schedule->interval_ns ? since_ns : schedule->interval_ns;
    schedule->spacing_ns = schedule->has_spacing ? (schedule->spacing_ns * 7 + spacing_ns) / 8
                                                 : spacing_ns;
    schedule->has_spacing = true;
    schedule->last_ns = time_ns;
    return time_ns;
}

// True if the frame of this time is due. The next one is due an interval later then.
static bool is_due(struct weir_schedule *schedule, int64_t frame_ns)
{
    if (schedule->num == 0) {
        return true;
    }
    const uint64_t time_ns = follow_spacing(schedule, frame_ns);
    if (schedule->due_ns > time_ns && schedule->due_ns - time_ns > schedule->spacing_ns / 2) {
        return false;
    }
    if (time_ns > schedule->due_ns && time_ns - schedule->due_ns > schedule->interval_ns / 2) {
        schedule->due_ns = time_ns;
        schedule->due_rest = 0;
    }
    schedule->due_ns += schedule->interval_ns;
    schedule->due_rest += schedule->rest;
    if (schedule->due_rest >= schedule->num) {
        schedule->due_rest -= schedule->num;
        schedule->due_ns++;
    }
    return true;
}

// True if a movie can store the gap before a frame, or two of them can.
static bool can_store_gap(const struct weir_times *times, uint64_t movie_ns)
{
    const uint64_t gap_ns = movie_ns > times->recorded_ns ? movie_ns - times->recorded_ns : 0;
    return !times->has_recorded || gap_ns <= times->max_gap_ns ||
           (times->has_segments && movie_ns <= MAX_MOVIE_NS);
}

// Put a time onto the nearest point of a constant rate.
static void put_on_point(const struct weir_times *times, struct weir_times_place *place)
{
    const uint64_t ticks = weir_ticks_from_ns(place->movie_ns, times->ticks_per_second);
    place->point = (ticks + times->ticks_per_frame / 2) / times->ticks_per_frame;
    place->movie_ns = weir_ticks_to_ns(place->point * times->ticks_per_frame,
                                       times->ticks_per_second);
}

// Get the time since the first recorded frame, 0 for one before it, from one by the movie clock.
static uint64_t since_first(const struct weir_times *times, int64_t clock_ns)
{
    return times->has_recorded && clock_ns > times->first_ns
               ? (uint64_t)clock_ns - (uint64_t)times->first_ns
               : 0;
}

struct weir_times_place weir_times_place(struct weir_times *times, int64_t time_ns)
{
    const struct weir_pause_place pause = weir_pauses_place(times->pauses, time_ns);
    struct weir_times_place place = {
        .clock_ns = pause.time_ns,
        .movie_ns = since_first(times, pause.time_ns),
        .verdict = WEIR_TIMES_BACK,
    };
    if (times->has_recorded) {
        place.since_ns = (int64_t)((uint64_t)pause.time_ns - (uint64_t)times->first_ns);
    }
    if (times->has_last && time_ns <= times->last_ns) {
        return place;
    }
    times->has_last = true;
    times->last_ns = time_ns;
    times->last_movie_ns = place.movie_ns;
    if (!can_store_gap(times, place.movie_ns)) {
        place.verdict = WEIR_TIMES_GAP;
        return place;
    }
    bool is_recorded = !pause.is_paused && is_due(&times->schedule, pause.time_ns);
    if (times->ticks_per_frame > 0) {
        put_on_point(times, &place);
        is_recorded = is_recorded && place.point >= times->next_point;
    }
    place.verdict = is_recorded ? WEIR_TIMES_RECORD : WEIR_TIMES_SKIP;
    return place;
}

bool weir_times_record(struct weir_times *times, const struct weir_times_place *place)
{
    const bool is_first = !times->has_recorded;
    if (is_first) {
        times->has_recorded = true;
        times->first_ns = place->clock_ns;
    }
    times->recorded_ns = place->movie_ns;
    times->next_point = place->point + 1;
    return is_first;
}

uint64_t weir_times_in_movie(const struct weir_times *times, int64_t time_ns)
{
    return since_first(times, weir_pauses_place(times->pauses, time_ns).time_ns);
}
