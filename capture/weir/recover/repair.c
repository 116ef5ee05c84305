// SPDX-License-Identifier: MIT
// Repairs what was found of a movie: leaves out damaged frames, gives each frame a time, and puts
// silence where sound is lost.
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

// True if the next frame comes before frame `i`, but after `last`, and the time of `i` is damaged,
// not that one: the frame behind both comes before it too, or it is farther from the nominal rate.
static bool is_too_late(const struct frames *frames, size_t last, size_t i)
{
    const struct frame *items = frames->items;
    if (i + 1 >= frames->num || !is_after(frames, last, i + 1) ||
        items[i + 1].piece->time > items[i].piece->time) {
        return false;
    }
    const uint64_t nominal = items[last].piece->time +
                             (i - last) * (uint64_t)frames->ticks_per_frame;
    return (i + 2 < frames->num && is_after(frames, last, i + 2) &&
            items[i + 2].piece->time <= items[i].piece->time) ||
           distance(items[i].piece->time, nominal) >
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
static uint64_t find_times(const struct frames *frames)
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

// Give each frame a time after that of the one before, and the first one 0. Those without a time
// are pictures.ticks_per_frame apart, or closer where there is no room for that. Where none is
// missing before the first one with a time, the movie begins as it did. found->start becomes what
// is now 0. False: out of memory.
static bool repair_times(struct recover_search *search)
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
    search->found->start = find_times(&frames);
    movie->pictures.last_time = frames.items[frames.num - 1].piece->time;
    free(frames.items);
    return true;
}

// Ticks a second are made at least this many where no box says them.
#define LEAST_TICKS 60000u

void recover_count_lost(struct recover_found *found, uint64_t ticks, uint64_t num)
{
    if (num > 0 && (found->num_lost == 0 || ticks < found->first_lost)) {
        found->first_lost = ticks;
    }
    found->num_lost += num;
}

static bool is_whole(struct recover_search *search, uint32_t i, bool checks_all)
{
    const struct weir_piece *piece = &search->found->movie.pieces[i];
    const bool is_doubtful = search->scan.marks && search->scan.marks[i].is_doubtful;
    uint64_t end;
    return (!checks_all && !is_doubtful) ||
           weir_hap_check(&search->far, &search->scan.format, piece->offset,
                          piece->offset + piece->size, WEIR_HAP_WHOLE, &end);
}

// Leave out the frames that are not whole.
static void check_frames(struct recover_search *search)
{
    struct recover_found *found = search->found;
    struct weir_movie *movie = &found->movie;
    const uint32_t num = movie->num_pieces;
    const bool checks_all = search->params->checks_all || found->num_parts > 0 ||
                            search->near.failed;
    weir_movie_clear(movie);
    for (uint32_t i = 0; i < num; i++) {
        const struct weir_piece piece = movie->pieces[i];
        if (piece.track > 0 || is_whole(search, i, checks_all)) {
            if (search->scan.marks) {
                search->scan.marks[movie->num_pieces] = search->scan.marks[i];
            }
            weir_movie_add(movie, &piece); // there is room
        } else {
            recover_count_lost(found, piece.time, 1);
            found->num_parts++;
        }
    }
    if (found->state == RECOVER_NOTHING_TO_DO && found->num_lost > 0) {
        found->state = RECOVER_DAMAGED;
    }
}

// a * b / c, rounded, in what a movie can say.
static uint32_t scale_ticks(uint64_t a, uint32_t b, uint32_t c)
{
    const uint64_t ticks = (a * b + c / 2) / c;
    return ticks < 1 ? 1 : ticks < INT32_MAX ? (uint32_t)ticks : INT32_MAX;
}

// Complete the ticks a second and those of a frame by the rate that was given. A head has the one,
// a fragment the other; both may be lost.
static bool complete_ticks(struct recover_search *search)
{
    struct weir_movie_pictures *pictures = &search->found->movie.pictures;
    const uint32_t num = search->params->rate.num, den = search->params->rate.den;
    if (pictures->ticks_per_frame > INT32_MAX) {
        pictures->ticks_per_frame = 0;
    }
    if (pictures->ticks_per_frame > 0 && pictures->ticks_per_second > 0) {
        return true;
    }
    if (num == 0) {
        return recover_refuse(search->found,
                              "the duration of its frames is lost; give the rate: --fps N");
    }
    if (pictures->ticks_per_frame > 0) {
        pictures->ticks_per_second = scale_ticks(pictures->ticks_per_frame, num, den);
        return true;
    }
    if (pictures->ticks_per_second == 0) {
        pictures->ticks_per_second = scale_ticks((LEAST_TICKS + num - 1) / num, num, 1);
    }
    pictures->ticks_per_frame = scale_ticks(pictures->ticks_per_second, den, num);
    return true;
}

// The time code is that of the first frame that is left. A head that is kept has the number of the
// frame that came first.
static void move_timecode(struct recover_found *found)
{
    struct weir_timecode_track *timecode = &found->movie.timecode;
    const uint64_t num_lost = weir_timecode_num_frames(timecode, found->start,
                                                       found->movie.pictures.ticks_per_second);
    timecode->first = weir_timecode_after(&timecode->first, num_lost);
    found->is_in_place = found->is_in_place && num_lost == 0;
}

// `given` (may be NULL) is that of a movie whose head is lost and which does not say it.
static bool repair_timecode(struct recover_found *found, const char *given)
{
    struct weir_movie *movie = &found->movie;
    const bool is_known = movie->timecode.first.frames_per_second > 0;
    if (is_known) {
        move_timecode(found);
    }
    found->is_timecode_unused = given && (is_known || found->state != RECOVER_SALVAGED);
    if (!given || found->is_timecode_unused) {
        return true;
    }
    struct weir_timecode_track timecode = {.rate_num = movie->pictures.ticks_per_second,
                                           .rate_den = movie->pictures.ticks_per_frame};
    const char *wrong = weir_timecode_parse(given, timecode.rate_num, timecode.rate_den,
                                            &timecode.first);
    if (wrong) {
        return recover_refuse(found, "--timecode %s: %s", given, wrong);
    }
    movie->timecode = timecode;
    found->is_timecode_lost = false;
    return true;
}

// Get the end of the first frame behind which fragments are missing, by their numbers. 0: there is
// none.
static uint64_t find_hole(struct recover_search *search)
{
    const struct weir_movie *movie = &search->found->movie;
    uint32_t num_between = 0; // fragments of audio
    uint32_t last = movie->num_pieces;
    for (uint32_t i = 0; search->scan.marks && i < movie->num_pieces; i++) {
        if (movie->pieces[i].track > 0) {
            num_between++;
            continue;
        }
        const uint32_t before = last < movie->num_pieces ? search->scan.marks[last].number : 0;
        if (before > 0 && search->scan.marks[i].number > before + 1 + num_between) {
            return movie->pieces[last].time + movie->pictures.ticks_per_frame;
        }
        last = i;
        num_between = 0;
    }
    return 0;
}

bool recover_repair(struct recover_search *search)
{
    struct recover_found *found = search->found;
    struct weir_movie *movie = &found->movie;
    // Fragments, by their numbers.
    const uint64_t num_there = movie->num_pieces + search->scan.num_unknown_audio;
    const uint64_t num_known = search->scan.num_known;
    const uint64_t num_lost = num_known > num_there ? num_known - num_there : 0;
    check_frames(search);
    if (movie->pictures.num_frames == 0) {
        return recover_refuse(found, "no whole frame of %ux%u is in it", search->scan.format.width,
                              search->scan.format.height);
    }
    if (!complete_ticks(search)) {
        return false;
    }
    if (!repair_times(search)) {
        return recover_refuse(found, "no memory is left for the list of its frames");
    }
    if (!repair_timecode(found, search->params->timecode)) {
        return false;
    }
    const uint64_t hole = find_hole(search);
    uint64_t num_of_audio; // fragments that are lost
    if (!recover_repair_audio(found, &num_of_audio)) {
        return recover_refuse(found, "no memory is left for the list of its audio");
    }
    weir_chapters_rebase(&movie->chapters, found->start, movie->pictures.ticks_per_second);
    // Frames that were lost before are not counted from the first frame that is left, yet.
    found->first_lost -= found->first_lost < found->start ? found->first_lost : found->start;
    if (num_lost > num_of_audio) {
        recover_count_lost(found, hole, num_lost - num_of_audio);
    }
    if (found->state == RECOVER_NOTHING_TO_DO && found->num_silent > 0) {
        found->state = RECOVER_DAMAGED;
    }
    found->is_in_place = found->is_in_place && found->num_silent == 0;
    return true;
}
