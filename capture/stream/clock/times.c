// SPDX-License-Identifier: MIT
// The times of frames: which frames a movie takes, and what their times become in it.
#include "capture/stream/clock/times.h"

#include "capture/stream/clock/ticks.h"

// The longest gap between two frames that is filled with repeated ones.
#define MAX_REPEATED_NS 60000000000u
// The longest time since the first frame: 146 years, far from where numbers end.
#define MAX_MOVIE_NS ((uint64_t)INT64_MAX / 2)

// A grid takes no more frames than it has points: it needs a pace only where that is slower.
static bool needs_pace(const struct weir_times_params *params)
{
    return !params->constant_rate || (uint64_t)params->max_rate_num * params->rate_den <
                                         (uint64_t)params->rate_num * params->max_rate_den;
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
    weir_pace_init(&times->pace, needs_pace(params) ? params->max_rate_num : 0,
                   params->max_rate_den);
    if (params->constant_rate) {
        times->grid = (struct weir_grid){
            .ticks_per_second = ticks,
            .ticks_per_frame = weir_ticks_per_frame(params->rate_num, params->rate_den, ticks),
        };
        times->max_gap_ns = MAX_REPEATED_NS;
    }
}

static int64_t on_movie_clock(const struct weir_times *times, int64_t time_ns)
{
    return weir_pauses_place(times->pauses, time_ns).time_ns;
}

uint64_t weir_times_in_movie(const struct weir_times *times, int64_t time_ns)
{
    const int64_t movie_ns = on_movie_clock(times, time_ns);
    return times->has_taken && movie_ns > times->first_ns
               ? (uint64_t)movie_ns - (uint64_t)times->first_ns
               : 0;
}

int64_t weir_times_since_first(const struct weir_times *times, int64_t time_ns)
{
    const uint64_t movie_ns = (uint64_t)on_movie_clock(times, time_ns);
    return times->has_taken ? (int64_t)(movie_ns - (uint64_t)times->first_ns) : 0;
}

// True if the gap before a frame can be said: by a movie, or by two of them.
static bool can_say_gap(const struct weir_times *times, uint64_t movie_ns)
{
    const uint64_t gap_ns = movie_ns > times->taken_ns ? movie_ns - times->taken_ns : 0;
    return !times->has_taken || gap_ns <= times->max_gap_ns ||
           (times->has_segments && movie_ns <= MAX_MOVIE_NS);
}

enum weir_times_order weir_times_follow(struct weir_times *times, int64_t time_ns)
{
    if (times->has_last && time_ns <= times->last_ns) {
        return WEIR_TIMES_BACK;
    }
    times->has_last = true;
    times->last_ns = time_ns;
    return can_say_gap(times, weir_times_in_movie(times, time_ns)) ? WEIR_TIMES_FOLLOWS
                                                                   : WEIR_TIMES_GAP;
}

bool weir_times_takes(struct weir_times *times, int64_t time_ns)
{
    const struct weir_pause_place place = weir_pauses_place(times->pauses, time_ns);
    return !place.is_paused && weir_pace_takes(&times->pace, place.time_ns) &&
           weir_grid_takes(&times->grid, weir_times_in_movie(times, time_ns));
}

uint64_t weir_times_put(struct weir_times *times, int64_t time_ns)
{
    if (!times->has_taken) {
        times->has_taken = true;
        times->first_ns = on_movie_clock(times, time_ns);
    }
    times->taken_ns = weir_grid_put(&times->grid, weir_times_in_movie(times, time_ns));
    return times->taken_ns;
}
