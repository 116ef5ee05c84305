// SPDX-License-Identifier: MIT
// The frames that were found in a movie, and when they are shown.
#include "capture/weir/recover/frames.h"

#include <stdlib.h>

#include "capture/base/grow.h"

bool recover_frames_add(struct recover_frames *frames, const struct recover_frame *frame)
{
    struct recover_frame *items = weir_grow(frames->items, frames->num, &frames->room,
                                            sizeof(items[0]));
    if (!items) {
        return false;
    }
    frames->items = items;
    frames->items[frames->num++] = *frame;
    return true;
}

void recover_frames_finish(struct recover_frames *frames)
{
    free(frames->items);
    *frames = (struct recover_frames){.items = NULL};
}

// Fill in the times of the frames behind `last` and before `next`, which has a time. False: there
// are not so many ticks between the two.
static bool fill_in(struct recover_frame *items, size_t last, size_t next, uint32_t ticks_per_frame)
{
    const uint64_t num = next - last;
    uint64_t step = (items[next].ticks - items[last].ticks) / num;
    if (step == 0) {
        return false;
    }
    step = step < ticks_per_frame ? step : ticks_per_frame;
    for (size_t i = last + 1; i < next; i++) {
        items[i].ticks = items[i - 1].ticks + step;
    }
    return true;
}

// True if a movie can have `next` behind `last`: two frames are at most INT32_MAX ticks apart.
static bool is_after(const struct recover_frame *last, const struct recover_frame *next)
{
    return next->has_time && next->ticks > last->ticks && next->ticks - last->ticks <= INT32_MAX;
}

static uint64_t distance(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

// True if both frames behind frame `i` come before it, but after `last`: its time is damaged. Of
// the last two, the one that is farther from the nominal rate is.
static bool is_too_late(const struct recover_frames *frames, size_t last, size_t i,
                        uint32_t ticks_per_frame)
{
    const struct recover_frame *items = frames->items;
    if (i + 1 >= frames->num || !is_after(&items[last], &items[i + 1]) ||
        items[i + 1].ticks > items[i].ticks) {
        return false;
    }
    if (i + 2 < frames->num) {
        return is_after(&items[last], &items[i + 2]) && items[i + 2].ticks <= items[i].ticks;
    }
    const uint64_t start = items[last].ticks, nominal = (i - last) * (uint64_t)ticks_per_frame;
    return distance(items[i].ticks, start + nominal) >
           distance(items[i + 1].ticks, start + nominal + ticks_per_frame);
}

// True if frame `i` has a time that its two next ones can follow, or there are not so many: one
// alone may be damaged.
static bool is_credible(const struct recover_frames *frames, size_t i)
{
    const struct recover_frame *items = frames->items;
    return items[i].has_time &&
           (i + 2 >= frames->num || !is_after(&items[i + 1], &items[i + 2]) ||
            is_after(&items[i], &items[i + 1]) || is_after(&items[i], &items[i + 2]));
}

// Take the times as they are counted from `start`.
static void rebase(struct recover_frames *frames, uint64_t start)
{
    for (size_t i = 0; i < frames->num; i++) {
        frames->items[i].ticks -= start;
    }
}

// Give a time to the frames before `first`, the first one that has one. Where none of them is
// missing, the movie begins with them, else they come at the nominal rate.
static void begin(struct recover_frames *frames, size_t first, uint32_t ticks_per_frame)
{
    struct recover_frame *items = frames->items;
    const bool is_complete = items[first].number == first + 1 && items[first].ticks >= first &&
                             items[first].ticks <= INT32_MAX;
    const uint64_t start = is_complete ? 0 : items[first].ticks - first * ticks_per_frame;
    items[0].ticks = start; // counted modulo 2^64 if it is before 0; rebase() makes it 0
    if (first > 0) {
        fill_in(items, 0, first, ticks_per_frame);
    }
}

void recover_frames_settle(struct recover_frames *frames, uint32_t ticks_per_frame)
{
    struct recover_frame *items = frames->items;
    size_t last = 0;
    while (last < frames->num && !is_credible(frames, last)) {
        last++;
    }
    if (last < frames->num) {
        begin(frames, last, ticks_per_frame);
    } else {
        last = 0;
    }
    for (size_t i = last + 1; i < frames->num; i++) {
        if (is_after(&items[last], &items[i]) && !is_too_late(frames, last, i, ticks_per_frame) &&
            fill_in(items, last, i, ticks_per_frame)) {
            last = i;
        }
    }
    for (size_t i = last + 1; i < frames->num; i++) {
        items[i].ticks = items[i - 1].ticks + ticks_per_frame;
    }
    if (frames->num > 0) {
        frames->start = items[0].ticks <= INT64_MAX ? items[0].ticks : 0;
        rebase(frames, items[0].ticks);
    }
}
