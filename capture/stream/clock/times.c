// SPDX-License-Identifier: MIT
// Ticks: how nanoseconds become ticks. The times of frames: which frames are recorded, and what
// their times become in the movie.

#include "capture/stream/clock/clock.h"

#include "capture/base/size.h"

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

struct weir_times_place weir_times_place(struct weir_times *times, int64_t time_ns)
{
    const struct weir_pause_place pause = weir_pauses_place(times->pauses, time_ns);
    struct weir_times_place place = {.clock_ns = pause.time_ns, .verdict = WEIR_TIMES_BACK};
    if (times->has_recorded) {
        place.since_ns = (int64_t)((uint64_t)pause.time_ns - (uint64_t)times->first_ns);
        place.movie_ns = pause.time_ns > times->first_ns ? (uint64_t)place.since_ns : 0;
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
