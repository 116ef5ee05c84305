// SPDX-License-Identifier: MIT
// A part of a HAP movie whose codec and size stay: its frames each stand alone, so they are copied,
// and the sound to the sample.
#include "capture/weir/transcode/transcode.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/base/clock.h"
#include "capture/base/size.h"
#include "capture/movie/hap.h"
#include "capture/weir/common/file.h"
#include "capture/weir/common/interrupt.h"
#include "capture/weir/common/movie.h"
#include "capture/weir/common/shared_options.h"

enum { VIEW_ROOM = 4096, NS_PER_SECOND = 1000000000 };

struct cut {
    const struct cli_movie_params *params;
    int fd;
    struct stat status;
    struct weir_movie_found found; // the whole movie
    struct weir_movie part;
    uint64_t begin, end; // of the frames of the part [ticks]
    struct cli_progress progress;
};

// True for a plain movie as weir writes it, of the codec that is wanted: all of it can be copied.
static bool can_copy(const struct cut *cut)
{
    const struct weir_movie_found *found = &cut->found;
    const struct weir_movie_pictures *pictures = &found->movie.pictures;
    uint64_t total = 0;
    bool can = found->is_ours && !found->is_fragmented && pictures->ticks_per_frame > 0 &&
               weir_hap_codec_of_tag(pictures->tag) == cut->params->codec &&
               pictures->pixel_aspect_num == pictures->pixel_aspect_den;
    for (uint32_t i = 0; i <= found->movie.num_audio; i++) {
        can = can && !found->tracks[i].is_damaged && !found->tracks[i].is_edited &&
              found->tracks[i].delay == 0;
    }
    for (uint32_t i = 0; can && i < found->movie.num_pieces; i++) {
        const struct weir_piece *piece = &found->movie.pieces[i];
        const struct weir_piece *next = weir_piece_next(&found->movie, piece);
        total += piece->size; // no two share bytes
        can = piece->size > 0 && total <= (uint64_t)cut->status.st_size &&
              (!next || (next->time > piece->time && next->time - piece->time < INT32_MAX));
    }
    return can;
}

// True if a moov box has no other metadata than what is kept, and what programs say of themselves.
static bool keeps_metadata(struct weir_view *view, const struct weir_box *moov)
{
    static const char known[] = "chpl \251nam \251cmt \251swr \251enc \251too";
    struct weir_box udta, box;
    bool keeps = !weir_box_find_in(view, moov, "meta", &box);
    if (weir_box_find_in(view, moov, "udta", &udta)) {
        for (uint64_t at = udta.payload; weir_box_read(view, at, udta.end, &box); at = box.end) {
            keeps = keeps && weir_box_is(box.type, known);
        }
    }
    return keeps;
}

static bool read_whole(struct cut *cut)
{
    struct weir_view view;
    const char *path = cut->params->inputs.paths[0];
    // A pipe is not even opened here: its writer would lose its reader.
    const bool is_file = strcmp(path, "-") != 0 && stat(path, &cut->status) == 0 &&
                         S_ISREG(cut->status.st_mode);
    cut->fd = is_file ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (cut->fd < 0) {
        return false;
    }
    const struct weir_view_source source = cli_read_source(&cut->fd, (uint64_t)cut->status.st_size);
    const bool is_read = weir_view_init(&view, &source, VIEW_ROOM) &&
                         weir_movie_read(&view, &cut->found) == WEIR_OK &&
                         keeps_metadata(&view, &cut->found.moov) &&
                         weir_movie_read_tables(&view, cut->found.tracks, &cut->found.movie) ==
                             WEIR_OK;
    weir_view_finish(&view);
    return is_read && can_copy(cut);
}

static uint64_t end_ns(const struct cut *cut)
{
    return cut->params->range.to_ns == 0 ? INT64_MAX : (uint64_t)cut->params->range.to_ns;
}

// Find the frames of the part. False: there is none.
static bool find_frames(struct cut *cut)
{
    const struct weir_movie *whole = &cut->found.movie;
    bool has_begun = false;
    for (const struct weir_piece *piece = weir_piece_first(whole, 0); piece;
         piece = weir_piece_next(whole, piece)) {
        const struct weir_piece *next = weir_piece_next(whole, piece);
        const uint64_t time_ns = weir_scale_round(piece->time, NS_PER_SECOND,
                                                  whole->pictures.ticks_per_second);
        if (time_ns >= (uint64_t)cut->params->range.from_ns && time_ns < end_ns(cut)) {
            cut->begin = has_begun ? cut->begin : piece->time;
            cut->end = next ? next->time : weir_movie_end(whole);
            has_begun = true;
        }
    }
    return has_begun;
}

// Add the samples of a piece that belong to the part. False: no memory.
static bool add_samples(struct cut *cut, struct weir_piece piece)
{
    const struct weir_movie *whole = &cut->found.movie;
    const struct weir_movie_audio *audio = &whole->audio[piece.track - 1];
    const uint64_t rate = audio->sample_rate;
    const uint64_t first = weir_segment_position(cut->begin, whole->pictures.ticks_per_second,
                                                 audio->sample_rate);
    const uint64_t end = weir_min(end_ns(cut) / NS_PER_SECOND, UINT32_MAX) * rate +
                         weir_divide_up(end_ns(cut) % NS_PER_SECOND * rate, NS_PER_SECOND);
    const uint64_t begins = weir_max(piece.time, first);
    const uint64_t ends = weir_min(piece.time + weir_piece_num_samples(whole, &piece), end);
    if (begins >= ends) {
        return true;
    }
    piece.offset += (begins - piece.time) * audio->sample_size;
    piece.size = (uint32_t)(ends - begins) * audio->sample_size;
    piece.time = begins - first;
    return weir_movie_add(&cut->part, &piece);
}

// Go on to the time code of the first frame. Without --timecode keep there is none.
static void keep_timecode(struct cut *cut)
{
    const struct weir_timecode_track *whole = &cut->found.movie.timecode;
    struct weir_timecode_track *part = &cut->part.timecode;
    if (cut->params->timecode && whole->first.frames_per_second > 0) {
        *part = *whole;
        part->first = weir_timecode_after(
            &whole->first,
            weir_timecode_num_frames(whole, cut->begin, cut->part.pictures.ticks_per_second));
    } else if (cut->params->timecode) {
        cli_report_warning("%s has no time code, so the movie gets none",
                           cut->params->inputs.paths[0]);
    } else if (whole->first.frames_per_second > 0) {
        cli_report_warning("%s: left out: its time code (--timecode keep)",
                           cut->params->inputs.paths[0]);
    }
}

// Make the part of the whole, whose descriptions and chapters it takes. False: no memory.
static bool make_part(struct cut *cut)
{
    struct weir_movie *whole = &cut->found.movie, *part = &cut->part;
    const uint32_t ticks_per_second = whole->pictures.ticks_per_second;
    *part = *whole;
    part->pieces = NULL;
    part->room = 0;
    part->timecode = (struct weir_timecode_track){.offset = 0};
    part->segment = (struct weir_segment){.number = 0};
    weir_movie_clear(part);
    bool is_added = true;
    for (uint32_t i = 0; is_added && i < whole->num_pieces; i++) {
        struct weir_piece piece = whole->pieces[i];
        if (piece.track > 0) {
            is_added = add_samples(cut, piece);
        } else if (piece.time >= cut->begin && piece.time < cut->end) {
            piece.time -= cut->begin;
            is_added = weir_movie_add(part, &piece);
        }
    }
    keep_timecode(cut);
    part->pictures.last_duration = (uint32_t)(cut->end - cut->begin - part->pictures.last_time);
    weir_chapters_rebase(&part->chapters, cut->begin, ticks_per_second);
    weir_chapters_cut(&part->chapters, weir_chapter_time(cut->end - cut->begin, ticks_per_second));
    return is_added;
}

static bool read_bytes(void *user, uint32_t source, uint64_t offset, uint8_t *bytes, size_t size)
{
    (void)source;
    return cli_read_at(((const struct cut *)user)->fd, offset, bytes, size);
}

static const char *name_input(void *user, uint32_t source)
{
    (void)source;
    return ((const struct cut *)user)->params->inputs.paths[0];
}

static bool show_progress(void *user, uint64_t bytes, size_t num_frames)
{
    struct cut *cut = user;
    cli_progress_update(&cut->progress, num_frames, cut->part.pictures.num_frames, bytes);
    return !cli_interrupted();
}

static enum weir_result write_part(struct cut *cut)
{
    const struct cli_movie_params *params = cut->params;
    const struct weir_movie_pictures *pictures = &cut->part.pictures;
    const struct cli_movie_target target = {.path = params->output,
                                            .read = read_bytes,
                                            .name = name_input,
                                            .progress = show_progress,
                                            .user = cut};
    cli_progress_start(&cut->progress, params->quiet);
    const enum weir_result result = cli_movie_write(&cut->part, &target);
    const double seconds = cli_progress_finish(&cut->progress);
    if (result == WEIR_OK && params->report) {
        params->report->is_read = true;
        params->report->input.native_width = pictures->width;
        params->report->input.native_height = pictures->height;
        snprintf(params->report->input.coding, sizeof(params->report->input.coding), "copied");
        params->report->stats.written = pictures->num_frames;
        params->report->input.rate_num = pictures->ticks_per_second;
        params->report->input.rate_den = pictures->ticks_per_frame;
        params->report->seconds = seconds;
        if (cut->part.timecode.first.frames_per_second > 0) {
            weir_timecode_format(&cut->part.timecode.first, params->report->timecode);
        }
    }
    if (result == WEIR_OK && !params->quiet) {
        cli_print(
            stderr, "%s: %" PRIu32 " frame%s, %ux%u, %s, copied without encoding, in %.1f s\n",
            params->output, pictures->num_frames, pictures->num_frames == 1 ? "" : "s",
            pictures->width, pictures->height, cli_movie_codec_fourcc(params->codec).text, seconds);
    }
    return result;
}

enum weir_result transcode_cut(const struct cli_movie_params *params)
{
    struct cut cut = {.params = params, .fd = -1};
    enum weir_result result = WEIR_NOT_READY;
    if (read_whole(&cut) && !cli_is_same_file(params->inputs.paths[0], params->output) &&
        find_frames(&cut)) {
        result = make_part(&cut) ? write_part(&cut)
                                 : cli_fail(WEIR_ERROR_OUT_OF_MEMORY, "no memory for the part");
        // What the part has taken it frees.
        struct weir_piece *pieces = cut.found.movie.pieces;
        cut.found.movie = (struct weir_movie){.pieces = pieces};
    }
    weir_movie_finish(&cut.found.movie);
    weir_movie_finish(&cut.part);
    if (cut.fd >= 0) {
        close(cut.fd);
    }
    return result;
}
