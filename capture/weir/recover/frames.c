// SPDX-License-Identifier: MIT
// The frames that were found in a movie, and when they are shown.
#include "capture/weir/recover/frames.h"

#include <stdlib.h>

enum { FIRST_ROOM = 1024 };

bool recover_frames_add(struct recover_frames *frames, const struct recover_frame *frame)
{
    if (frames->num == frames->room) {
        const size_t room = frames->room > 0 ? 2 * frames->room : FIRST_ROOM;
        struct recover_frame *items = realloc(frames->items, room * sizeof(items[0]));
        if (!items) {
            return false;
        }
        frames->items = items;
        frames->room = room;
    }
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

void recover_frames_settle(struct recover_frames *frames, uint32_t ticks_per_frame)
{
    struct recover_frame *items = frames->items;
    size_t last = 0;
    while (last < frames->num && !items[last].has_time) {
        last++;
    }
    if (frames->num == 0) {
        return;
    }
    // The frames before the first one with a time begin the movie.
    const size_t num_before = last;
    const uint64_t start = last < frames->num ? items[last].ticks : 0;
    last = last < frames->num ? last : 0;
    items[last].ticks = start;
    for (size_t i = last + 1; i < frames->num; i++) {
        if (is_after(&items[last], &items[i]) && fill_in(items, last, i, ticks_per_frame)) {
            last = i;
        }
    }
    for (size_t i = last + 1; i < frames->num; i++) {
        items[i].ticks = items[i - 1].ticks + ticks_per_frame;
    }
    const size_t first = num_before < frames->num ? num_before : 0;
    const uint64_t shift = (uint64_t)first * ticks_per_frame;
    for (size_t i = 0; i < frames->num; i++) {
        items[i].ticks = i < first ? (uint64_t)i * ticks_per_frame : items[i].ticks - start + shift;
    }
}
