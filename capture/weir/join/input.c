// SPDX-License-Identifier: MIT
// A movie that is joined with others: what it says of itself.
#include "capture/weir/join/plan.h"

#include <stdarg.h>
#include <stdio.h>

#include "capture/movie/codec.h"

bool join_refuse(struct join_plan *plan, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(plan->refusal, sizeof(plan->refusal), format, arguments);
    va_end(arguments);
    return false;
}

static bool read_head(struct join_plan *plan, struct join_input *input, struct weir_view *view)
{
    const enum weir_result result = weir_movie_read(view, &input->found);
    if (result == WEIR_NOT_READY) {
        return join_refuse(plan,
                           "%s has no index: it was not closed, its end was cut off, or it is no "
                           "movie; weir recover makes a movie of it first",
                           input->path);
    }
    if (result == WEIR_ERROR_OUT_OF_MEMORY) {
        return join_refuse(plan, "there is no memory for the head of %s", input->path);
    }
    if (result != WEIR_OK) {
        return join_refuse(plan, "%s: its index is damaged, or has no pictures", input->path);
    }
    if (input->found.is_fragmented) {
        return join_refuse(plan, "%s was not closed: run weir recover on it first", input->path);
    }
    return true;
}

static bool check_tracks(struct join_plan *plan, const struct join_input *input)
{
    const struct weir_movie_found *found = &input->found;
    const uint32_t tag = found->movie.pictures.tag;
    if (!weir_hap_codec_of_tag(tag)) {
        char name[5] = {(char)(tag >> 24), (char)(tag >> 16), (char)(tag >> 8), (char)tag, 0};
        return join_refuse(plan,
                           "%s: its pictures are '%s', and only movies of HAP are joined; weir "
                           "transcode makes one of it",
                           input->path, name);
    }
    if (!found->is_ours && found->foreign == WEIR_BOX("soun")) {
        return join_refuse(plan,
                           "%s: its sound is compressed, and only samples are joined; ffmpeg -i "
                           "FILE -map 0 -c copy -c:a pcm_s16le NEW.mov makes such a movie of it",
                           input->path);
    }
    if (!found->is_ours) {
        return join_refuse(plan,
                           "%s has other tracks than pictures and then sound; ffmpeg -i FILE -map "
                           "0:v:0 -map 0:a? -c copy NEW.mov makes a movie without them",
                           input->path);
    }
    return true;
}

// Audio may begin behind the pictures, as FFmpeg cuts it; anything else of edit lists is refused.
static bool check_edits(struct join_plan *plan, const struct join_input *input)
{
    const struct weir_track_place *tracks = input->found.tracks;
    bool is_whole = tracks[0].delay == 0;
    for (uint32_t i = 0; i <= input->found.movie.num_audio; i++) {
        is_whole = is_whole && !tracks[i].is_edited;
    }
    return is_whole || join_refuse(plan,
                                   "%s: its edit list leaves out a part of a track, or delays its "
                                   "pictures; ffmpeg -i FILE -c copy -use_editlist 0 NEW.mov makes "
                                   "a movie without one",
                                   input->path);
}

// True if all frames and samples lie in the file and rise in time. No two share bytes: tables that
// say so are damaged, or want to fill the disk.
static bool are_sound(const struct weir_movie_found *found, uint64_t file_size)
{
    const struct weir_movie *movie = &found->movie;
    const uint32_t duration = movie->pictures.ticks_per_frame;
    uint64_t total = 0, next = 0;
    bool are = duration > 0 && duration <= INT32_MAX;
    for (uint32_t i = 0; i <= movie->num_audio; i++) {
        are = are && !found->tracks[i].is_damaged;
    }
    for (uint32_t i = 0; are && i < movie->num_pieces; i++) {
        const struct weir_piece *piece = &movie->pieces[i];
        total += piece->size;
        are = piece->size > 0 && total <= file_size;
        if (piece->track == 0) {
            are = are && piece->time >= next && piece->time - next < INT32_MAX;
            next = piece->time + 1;
        }
    }
    return are;
}

static bool read_tables(struct join_plan *plan, struct join_input *input, struct weir_view *view)
{
    struct weir_movie_found *found = &input->found;
    if (weir_movie_read_tables(view, found->tracks, &found->movie) != WEIR_OK) {
        return join_refuse(plan, "there is no memory for the list of what is in %s", input->path);
    }
    if (found->movie.pictures.num_frames == 0 && !found->tracks[0].is_damaged) {
        return join_refuse(plan, "%s has no frames", input->path);
    }
    return are_sound(found, view->source.size) ||
           join_refuse(plan,
                       "%s: its index does not agree with what is in it; weir recover finds its "
                       "frames",
                       input->path);
}

bool join_input_read(struct join_plan *plan, struct join_input *input, struct weir_view *view)
{
    if (!read_head(plan, input, view) || !check_tracks(plan, input) || !check_edits(plan, input) ||
        !read_tables(plan, input, view)) {
        return false;
    }
    const struct weir_movie *movie = &input->found.movie;
    return movie->segment.number == 0 ||
           movie->segment.ticks_per_second == movie->pictures.ticks_per_second ||
           join_refuse(plan,
                       "%s: what it says of its recording does not agree with its pictures; "
                       "--end-to-end joins it by the order given",
                       input->path);
}
