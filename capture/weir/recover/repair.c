// SPDX-License-Identifier: MIT
// Repairs what was found of a movie: leaves out damaged frames, gives each frame a time, and puts
// silence where sound is lost.
#include "capture/weir/recover/repair.h"

#include <stdlib.h>

// Ticks a second are made at least this many where no box says them.
#define LEAST_TICKS 60000u

void recover_count_lost(struct recover_found *found, uint64_t ticks, uint64_t num)
{
    if (num > 0 && (found->num_lost == 0 || ticks < found->first_lost)) {
        found->first_lost = ticks;
    }
    found->num_lost += num;
}

static bool is_whole(const struct recover_repair *repair, const struct remux_piece *piece)
{
    uint64_t end;
    return (!repair->checks_all && !piece->is_doubtful) ||
           recover_check(repair->view, repair->kind, piece->offset, piece->offset + piece->size,
                         RECOVER_WHOLE, &end);
}

// Leave out the frames that are not whole, and count the others. False: progress() ended it.
static bool check_frames(const struct recover_repair *repair)
{
    const struct recover_params *params = repair->params;
    struct recover_found *found = repair->found;
    struct remux_movie *movie = &found->movie;
    const size_t num = movie->num_pieces;
    movie->num_pieces = found->num_frames = 0;
    for (size_t i = 0; i < num; i++) {
        const struct remux_piece piece = movie->pieces[i];
        const bool is_kept = piece.track > 0 || is_whole(repair, &piece);
        if (is_kept) {
            movie->pieces[movie->num_pieces++] = piece;
            found->num_frames += piece.track == 0;
        } else {
            recover_count_lost(found, piece.time, 1);
            found->num_parts++;
        }
        if (params->progress && !params->progress(params->user, piece.offset, found->num_frames)) {
            return false;
        }
    }
    if (found->state == RECOVER_NOTHING_TO_DO && found->num_lost > 0) {
        found->state = RECOVER_DAMAGED;
    }
    return true;
}

// a * b / c, rounded, in what a movie can say.
static uint32_t scale_ticks(uint64_t a, uint32_t b, uint32_t c)
{
    const uint64_t ticks = (a * b + c / 2) / c;
    return ticks < 1 ? 1 : ticks < INT32_MAX ? (uint32_t)ticks : INT32_MAX;
}

// Complete the ticks a second and those of a frame by the rate that was given. A head has the one,
// a fragment the other; both may be lost.
static bool complete_ticks(const struct recover_repair *repair)
{
    struct remux_movie *movie = &repair->found->movie;
    const uint32_t num = repair->params->rate_num, den = repair->params->rate_den;
    if (movie->ticks_per_frame > INT32_MAX) {
        movie->ticks_per_frame = 0;
    }
    if (movie->ticks_per_frame > 0 && movie->ticks_per_second > 0) {
        return true;
    }
    if (num == 0) {
        return recover_refuse(repair->found, "nothing in it says how long a frame is; give the "
                                             "rate: --fps N");
    }
    if (movie->ticks_per_frame > 0) {
        movie->ticks_per_second = scale_ticks(movie->ticks_per_frame, num, den);
        return true;
    }
    if (movie->ticks_per_second == 0) {
        movie->ticks_per_second = scale_ticks((LEAST_TICKS + num - 1) / num, num, 1);
    }
    movie->ticks_per_frame = scale_ticks(movie->ticks_per_second, den, num);
    return true;
}

// False: out of memory.
static bool repair_times(struct recover_found *found)
{
    struct remux_movie *movie = &found->movie;
    struct remux_piece **frames = malloc(found->num_frames * sizeof(frames[0]));
    size_t num = 0;
    for (size_t i = 0; frames && i < movie->num_pieces; i++) {
        if (movie->pieces[i].track == 0) {
            frames[num++] = &movie->pieces[i];
        }
    }
    if (frames) {
        found->start = recover_repair_times(frames, num, movie->ticks_per_frame);
        found->last_ticks = frames[num - 1]->time;
    }
    free(frames);
    return frames;
}

// The time code is that of the first frame that is left. A head that is kept has the number of the
// frame that came first, and is changed where a new file is written.
static void move_timecode(struct recover_found *found)
{
    struct weir_timecode_found *timecode = &found->timecode;
    const uint64_t num_lost = weir_timecode_num_frames(timecode, found->start,
                                                       found->movie.ticks_per_second);
    timecode->timecode = weir_timecode_after(&timecode->timecode, num_lost);
    if (found->head && num_lost > 0) {
        struct weir_boxes sample = {.bytes = found->head + timecode->sample, .room = 4};
        weir_boxes_u32(&sample, timecode->timecode.start);
        found->is_in_place = false;
    }
}

// `given` (may be NULL) is that of a movie whose head is lost and which does not say it.
static bool repair_timecode(struct recover_found *found, const char *given)
{
    struct weir_timecode_found *timecode = &found->timecode;
    if (found->has_timecode) {
        move_timecode(found);
    }
    found->is_timecode_unused = given && (found->has_timecode || found->state != RECOVER_SALVAGED);
    if (!given || found->is_timecode_unused) {
        return true;
    }
    *timecode = (struct weir_timecode_found){.rate_num = found->movie.ticks_per_second,
                                             .rate_den = found->movie.ticks_per_frame};
    const char *wrong = weir_timecode_parse(given, timecode->rate_num, timecode->rate_den,
                                            &timecode->timecode);
    found->has_timecode = !wrong;
    found->is_timecode_lost = wrong && found->is_timecode_lost;
    return !wrong || recover_refuse(found, "--timecode %s: %s", given, wrong);
}

// Get the end of the first frame behind which fragments are missing, by their numbers. 0: there is
// none.
static uint64_t find_hole(const struct recover_found *found)
{
    const struct remux_movie *movie = &found->movie;
    const struct remux_piece *last = NULL;
    uint32_t num_between = 0; // fragments of sound
    for (size_t i = 0; i < movie->num_pieces; i++) {
        const struct remux_piece *piece = &movie->pieces[i];
        if (piece->track > 0) {
            num_between += !piece->is_silence;
            continue;
        }
        if (last && last->number > 0 && piece->number > last->number + 1 + num_between) {
            return last->time + movie->ticks_per_frame;
        }
        last = piece;
        num_between = 0;
    }
    return 0;
}

// What is missing of the sound was in some of the fragments that are lost.
static void count_lost_fragments(const struct recover_repair *repair, uint64_t num_of_sound)
{
    struct recover_found *found = repair->found;
    // Those that were lost before are not counted from the first frame that is left, yet.
    found->first_lost -= found->first_lost < found->start ? found->first_lost : found->start;
    if (repair->num_lost_fragments > num_of_sound) {
        recover_count_lost(found, find_hole(found), repair->num_lost_fragments - num_of_sound);
    }
}

bool recover_repair(const struct recover_repair *repair)
{
    struct recover_found *found = repair->found;
    struct remux_movie *movie = &found->movie;
    uint64_t num_fragments;
    if (!check_frames(repair)) {
        return false;
    }
    if (found->num_frames == 0) {
        return recover_refuse(found, "no whole frame of %ux%u is in it", repair->kind->width,
                              repair->kind->height);
    }
    if (found->num_frames > UINT32_MAX) {
        return recover_refuse(found, "it has more frames than a movie can list");
    }
    if (!complete_ticks(repair)) {
        return false;
    }
    if (!repair_times(found)) {
        return recover_refuse(found, "there is no memory for the list of its frames");
    }
    if (!repair_timecode(found, repair->params->timecode)) {
        return false;
    }
    if (!recover_repair_sound(found, &num_fragments)) {
        return recover_refuse(found, "there is no memory for the list of its sound");
    }
    weir_chapters_rebase(&found->chapters, found->start, movie->ticks_per_second);
    count_lost_fragments(repair, num_fragments);
    if (found->state == RECOVER_NOTHING_TO_DO && found->num_silent > 0) {
        found->state = RECOVER_DAMAGED;
    }
    found->is_in_place = found->is_in_place && found->num_silent == 0;
    return true;
}
