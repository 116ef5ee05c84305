// SPDX-License-Identifier: MIT
// The pace: which frames of a fast renderer a movie takes, evenly and without drift.
#include "capture/stream/clock/pace.h"

#define NS_PER_SECOND 1000000000u

void weir_pace_init(struct weir_pace *pace, uint32_t num, uint32_t den)
{
    *pace = (struct weir_pace){.num = num};
    if (num > 0) {
        pace->interval_ns = (uint64_t)den * NS_PER_SECOND / num;
        pace->rest = (uint64_t)den * NS_PER_SECOND % num;
    }
}

// Get the time of a frame since the first, and follow the spacing of frames: the mean of about the
// last eight, in which a pause counts as one interval.
static uint64_t measure(struct weir_pace *pace, int64_t frame_ns)
{
    if (!pace->has_first) {
        pace->has_first = true;
        pace->first_ns = frame_ns;
        return 0;
    }
    const uint64_t time_ns = (uint64_t)frame_ns - (uint64_t)pace->first_ns;
    const uint64_t since_ns = time_ns - pace->last_ns;
    const uint64_t spacing_ns = since_ns < pace->interval_ns ? since_ns : pace->interval_ns;
    pace->spacing_ns = pace->has_spacing ? (pace->spacing_ns * 7 + spacing_ns) / 8 : spacing_ns;
    pace->has_spacing = true;
    pace->last_ns = time_ns;
    return time_ns;
}

bool weir_pace_takes(struct weir_pace *pace, int64_t frame_ns)
{
    if (pace->num == 0) {
        return true;
    }
    const uint64_t time_ns = measure(pace, frame_ns);
    if (pace->due_ns > time_ns && pace->due_ns - time_ns > pace->spacing_ns / 2) {
        return false;
    }
    if (time_ns > pace->due_ns && time_ns - pace->due_ns > pace->interval_ns / 2) {
        pace->due_ns = time_ns;
        pace->due_rest = 0;
    }
    pace->due_ns += pace->interval_ns;
    pace->due_rest += pace->rest;
    if (pace->due_rest >= pace->num) {
        pace->due_rest -= pace->num;
        pace->due_ns++;
    }
    return true;
}
