// SPDX-License-Identifier: MIT
// When the frames of a damaged movie are shown.
#include "capture/weir/recover/recover.h"

#include <stdlib.h>

struct frame {
    struct weir_piece *piece;
    uint32_t number; // of its fragment, counted from 1; 0: unknown
    bool is_untimed; // it has no time
};

struct frames {
    struct frame *items;
    size_t num;
    uint32_t ticks_per_frame;
};

// Fill in the times of the frames behind `last` and before `next`, which has a time. False: there
// are not so many ticks between the two.
static bool fill_in(const struct frames *frames, size_t last, size_t next)
{
    const struct frame *items = frames->items;
    uint64_t step = (items[next].piece->time - items[last].piece->time) / (next - last);
    if (step == 0) {
        return false;
    }
    step = step < frames->ticks_per_frame ? step : frames->ticks_per_frame;
    for (size_t i = last + 1; i < next; i++) {
        items[i].piece->time = items[i - 1].piece->time + step;
    }
    return true;
}

// True if a movie can have frame `next` behind `last`: two are at most INT32_MAX ticks apart.
static bool is_after(const struct frames *frames, size_t last, size_t next)
{
    const uint64_t a = frames->items[last].piece->time, b = frames->items[next].piece->time;
    return !frames->items[next].is_untimed && b > a && b - a <= INT32_MAX;
}

static uint64_t distance(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

// True if both frames behind frame `i` come before it, but after `last`: its time is damaged. Of
// the last two, the one that is farther from the nominal rate is.
static bool is_too_late(const struct frames *frames, size_t last, size_t i)
{
    const struct frame *items = frames->items;
    if (i + 1 >= frames->num || !is_after(frames, last, i + 1) ||
        items[i + 1].piece->time > items[i].piece->time) {
        return false;
    }
    if (i + 2 < frames->num) {
        return is_after(frames, last, i + 2) && items[i + 2].piece->time <= items[i].piece->time;
    }
    const uint64_t nominal = items[last].piece->time +
                             (i - last) * (uint64_t)frames->ticks_per_frame;
    return distance(items[i].piece->time, nominal) >
           distance(items[i + 1].piece->time, nominal + frames->ticks_per_frame);
}

// True if frame `i` has a time that its two next ones can follow, or there are not so many: a
// single time may be damaged.
static bool is_credible(const struct frames *frames, size_t i)
{
    return !frames->items[i].is_untimed &&
           (i + 2 >= frames->num || !is_after(frames, i + 1, i + 2) || is_after(frames, i, i + 1) ||
            is_after(frames, i, i + 2));
}

// Give a time to the frames before `first`, the first one that has one. Where none of them is
// missing, the movie begins with them, else they come at the nominal rate.
static void begin(const struct frames *frames, size_t first)
{
    const struct frame *items = frames->items;
    const bool is_complete = items[first].number == first + 1 &&
                             items[first].piece->time >= first &&
                             items[first].piece->time <= INT32_MAX;
    // Counted modulo 2^64 if it is before 0.
    items[0].piece->time = is_complete ? 0
                                       : items[first].piece->time - first * frames->ticks_per_frame;
    if (first > 0) {
        fill_in(frames, 0, first);
    }
}

// Returns what is now 0.
static uint64_t repair(const struct frames *frames)
{
    const struct frame *items = frames->items;
    const size_t num = frames->num;
    size_t last = 0;
    while (last < num && !is_credible(frames, last)) {
        last++;
    }
    if (last < num) {
        begin(frames, last);
    } else {
        last = 0;
    }
    for (size_t i = last + 1; i < num; i++) {
        if (is_after(frames, last, i) && !is_too_late(frames, last, i) &&
            fill_in(frames, last, i)) {
            last = i;
        }
    }
    for (size_t i = last + 1; i < num; i++) {
        items[i].piece->time = items[i - 1].piece->time + frames->ticks_per_frame;
    }
    const uint64_t start = items[0].piece->time;
    for (size_t i = 0; i < num; i++) {
        items[i].piece->time -= start;
    }
    return start <= INT64_MAX ? start : 0;
}

bool recover_repair_times(struct recover_search *search)
{
    struct weir_movie *movie = &search->found->movie;
    struct frames frames = {.items = calloc(movie->pictures.num_frames, sizeof(struct frame)),
                            .ticks_per_frame = movie->pictures.ticks_per_frame};
    if (!frames.items) {
        return false;
    }
    for (uint32_t i = 0; i < movie->num_pieces; i++) {
        if (movie->pieces[i].track == 0) {
            struct frame *frame = &frames.items[frames.num++];
            *frame = (struct frame){.piece = &movie->pieces[i]};
            if (search->scan.marks) {
                frame->number = search->scan.marks[i].number;
                frame->is_untimed = search->scan.marks[i].is_untimed;
            }
        }
    }
    search->found->start = repair(&frames);
    movie->pictures.last_time = frames.items[frames.num - 1].piece->time;
    free(frames.items);
    return true;
}
