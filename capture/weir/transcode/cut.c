// SPDX-License-Identifier: MIT
// A part of a HAP movie whose codec and size stay: its frames each stand alone, so they are copied,
// and the sound to the sample.
#include "capture/weir/transcode/transcode.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/base/size.h"
#include "capture/movie/hap.h"
#include "capture/weir/common/file.h"
#include "capture/weir/common/interrupt.h"
#include "capture/weir/common/movie.h"
#include "capture/weir/common/shared_options.h"

enum { VIEW_ROOM = 1 << 20, NS_PER_SECOND = 1000000000 };

struct cut {
    struct cli_movie *movie;
    int fd;
    struct weir_view view;
    struct weir_movie_found found; // the whole movie
    const struct weir_movie_codec_info *codec;
    struct weir_movie part;
    uint64_t begin, end; // of the frames of the part [ticks]
    uint64_t end_ns;     // of its samples
    uint32_t num_damaged;
};

// True if the file is a QuickTime movie of HAP.
static bool read_whole(struct cut *cut)
{
    struct stat status;
    const char *path = cut->movie->params.inputs.paths[0];
    // A pipe is not even opened here: its writer would lose its reader.
    const bool is_file = strcmp(path, "-") != 0 && stat(path, &status) == 0 &&
                         S_ISREG(status.st_mode);
    cut->fd = is_file ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (cut->fd < 0) {
        return false;
    }
    const struct weir_view_source source = cli_read_source(&cut->fd, (uint64_t)status.st_size);
    const bool is_read = weir_view_init(&cut->view, &source, VIEW_ROOM) &&
                         weir_movie_read(&cut->view, &cut->found) == WEIR_OK &&
                         weir_movie_read_tables(&cut->view, cut->found.tracks, &cut->found.movie) ==
                             WEIR_OK;
    cut->codec = weir_hap_codec_of_tag(cut->found.movie.pictures.tag);
    return is_read && cut->codec;
}

static bool is_scaled(const struct cli_movie *movie)
{
    const struct weir_source_info *info = &movie->info;
    const bool is_padded = movie->params.capture.movie.pad &&
                           (info->width % 4 != 0 || info->height % 4 != 0);
    return is_padded || movie->shape.width != info->native_width ||
           movie->shape.height != info->native_height;
}

// True for what becomes sRGB where it is decoded. Code points of ISO/IEC 23091-2.
static bool is_converted(const struct weir_movie_pictures *pictures)
{
    enum { PRIMARIES_BT2020 = 9, PRIMARIES_P3 = 12, TRANSFER_PQ = 16, TRANSFER_HLG = 18 };
    return pictures->color_primaries == PRIMARIES_BT2020 ||
           pictures->color_primaries == PRIMARIES_P3 || pictures->color_transfer == TRANSFER_PQ ||
           pictures->color_transfer == TRANSFER_HLG;
}

static bool is_edited(const struct cut *cut)
{
    const uint32_t num_audio = cut->movie->params.no_audio ? 0 : cut->found.movie.num_audio;
    bool is = false;
    for (uint32_t i = 0; i <= num_audio; i++) {
        is = is || cut->found.tracks[i].is_edited || cut->found.tracks[i].delay != 0;
    }
    return is;
}

// True if frames are copied; else say why they are encoded anew.
static bool can_copy(const struct cut *cut)
{
    const struct cli_movie_params *params = &cut->movie->params;
    const struct weir_movie_found *found = &cut->found;
    const bool has_other_pictures = !found->is_ours &&
                                    (found->foreign == 0 || found->foreign == WEIR_BOX("vide"));
    char text[CLI_REASON_SIZE] = "";
    const char *reason = found->is_fragmented ? "it was not closed; weir recover makes it whole"
                         : has_other_pictures
                             ? "its pictures are not its first track, or not its only ones"
                         : !weir_movie_is_sound(found, cut->view.source.size)
                             ? "its index is damaged"
                         : is_edited(cut)        ? "its edit list leaves out or delays a part"
                         : is_scaled(cut->movie) ? "they get another size"
                         : is_converted(&found->movie.pictures) ? "their colours become sRGB"
                         : found->num_others > 0 && !params->no_audio
                             ? "its audio is compressed; --no-audio copies them"
                             : text;
    if (params->encodes_for) {
        snprintf(text, sizeof(text), "--%s is given", params->encodes_for);
        reason = text;
    } else if (cut->codec != params->codec) {
        snprintf(text, sizeof(text), "they are %s; --codec %s copies them", cut->codec->name,
                 cut->codec->name);
        reason = text;
    }
    if (params->report) {
        snprintf(params->report->not_copied, CLI_REASON_SIZE, "%s", reason);
    }
    if (reason[0] != 0 && !params->quiet) {
        cli_print(stderr, "%s: its frames are encoded anew, not copied: %s\n",
                  params->inputs.paths[0], reason);
    }
    return reason[0] == 0;
}

static uint64_t time_ns_of(const struct cut *cut, uint64_t ticks)
{
    return weir_scale_round(ticks, NS_PER_SECOND, cut->found.movie.pictures.ticks_per_second);
}

// Find the frames of the part, and give damaged ones the size 0. False: there is none.
static bool find_frames(struct cut *cut)
{
    const struct cli_movie_params *params = &cut->movie->params;
    const struct weir_movie *whole = &cut->found.movie;
    const struct weir_hap_format format = {cut->codec, whole->pictures.width,
                                           whole->pictures.height};
    const uint64_t to_ns = params->range.to_ns == 0 ? INT64_MAX : (uint64_t)params->range.to_ns;
    const uint64_t most = params->max_frames == 0 ? UINT64_MAX : params->max_frames;
    uint64_t num = 0, end;
    for (const struct weir_piece *piece = weir_piece_first(whole, 0), *next;
         piece && num < most && time_ns_of(cut, piece->time) < to_ns && !cli_interrupted();
         piece = next) {
        next = weir_piece_next(whole, piece);
        if (time_ns_of(cut, piece->time) < (uint64_t)params->range.from_ns) {
            continue;
        }
        if (weir_hap_check(&cut->view, &format, piece->offset, piece->offset + piece->size,
                           WEIR_HAP_WHOLE, &end)) {
            cut->begin = num++ > 0 ? cut->begin : piece->time;
            cut->end = next ? next->time : weir_movie_end(whole);
        } else {
            whole->pieces[piece - whole->pieces].size = 0;
            cut->num_damaged++;
        }
    }
    cut->end_ns = weir_min(to_ns, num == most ? time_ns_of(cut, cut->end) : INT64_MAX);
    return num > 0;
}

// Add the samples of a piece that belong to the part. False: no memory.
static bool add_samples(struct cut *cut, struct weir_piece piece)
{
    const struct weir_movie *whole = &cut->found.movie;
    const struct weir_movie_audio *audio = &whole->audio[piece.track - 1];
    const uint64_t rate = audio->sample_rate;
    const uint64_t first = weir_segment_position(cut->begin, whole->pictures.ticks_per_second,
                                                 audio->sample_rate);
    const uint64_t end = weir_min(cut->end_ns / NS_PER_SECOND, UINT32_MAX) * rate +
                         weir_divide_up(cut->end_ns % NS_PER_SECOND * rate, NS_PER_SECOND);
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

// Set what the part says of itself to what an encoded one would say. False: no memory.
static bool describe(struct cut *cut)
{
    const struct cli_movie *movie = cut->movie;
    const struct weir_source_info *info = &movie->info;
    struct weir_movie *part = &cut->part;
    weir_metadata_set_text(part->metadata.title, info->title);
    weir_metadata_set_text(part->metadata.comment, info->comment);
    part->metadata.creation_time = weir_metadata_time(info->creation_time);
    part->timecode = (struct weir_timecode_track){.rate_num = info->rate_num,
                                                  .rate_den = info->rate_den};
    if (movie->timecode) {
        weir_timecode_parse(movie->timecode, info->rate_num, info->rate_den, &part->timecode.first);
    }
    enum weir_result result = WEIR_OK;
    for (size_t i = 0; i < info->num_chapters && result == WEIR_OK; i++) {
        result = weir_chapters_add(&part->chapters, (uint64_t)info->chapters[i].time_ns / 100,
                                   info->chapters[i].title);
    }
    weir_chapters_cut(&part->chapters,
                      weir_chapter_time(cut->end - cut->begin, part->pictures.ticks_per_second));
    return result >= WEIR_OK;
}

// Make the part of the whole, whose descriptions it borrows. False: no memory.
static bool make_part(struct cut *cut)
{
    const struct weir_movie *whole = &cut->found.movie;
    struct weir_movie *part = &cut->part;
    *part = *whole;
    part->pieces = NULL;
    part->room = 0;
    part->chapters = (struct weir_chapters){.items = NULL};
    part->segment = (struct weir_segment){.number = 0};
    part->num_audio = cut->movie->params.no_audio ? 0 : whole->num_audio;
    weir_movie_clear(part);
    bool is_added = true;
    for (uint32_t i = 0; is_added && i < whole->num_pieces; i++) {
        struct weir_piece piece = whole->pieces[i];
        if (piece.track == 0 && piece.size > 0 && piece.time >= cut->begin &&
            piece.time < cut->end) {
            piece.time -= cut->begin;
            is_added = weir_movie_add(part, &piece);
        } else if (piece.track > 0 && piece.track <= part->num_audio) {
            is_added = add_samples(cut, piece);
        }
    }
    part->pictures.last_duration = (uint32_t)(cut->end - cut->begin - part->pictures.last_time);
    return is_added && describe(cut);
}

static int get_input(void *user, uint32_t source, const char **name)
{
    const struct cut *cut = user;
    (void)source;
    *name = cut->movie->params.inputs.paths[0];
    return cut->fd;
}

static void report(const struct cut *cut, double seconds)
{
    const struct cli_movie_params *params = &cut->movie->params;
    const struct weir_movie_pictures *pictures = &cut->part.pictures;
    const char *timecode = cut->movie->timecode;
    if (params->report) {
        params->report->is_copied = true;
        params->report->stats.written = pictures->num_frames;
        params->report->counts.num_errors = cut->num_damaged;
        params->report->seconds = seconds;
        snprintf(params->report->timecode, sizeof(params->report->timecode), "%s",
                 timecode ? timecode : "");
    }
    if (cut->num_damaged > 0) {
        cli_report_warning("%s: %" PRIu32 " damaged frame%s left out", params->inputs.paths[0],
                           cut->num_damaged, cut->num_damaged == 1 ? " is" : "s are");
    }
    if (!params->quiet) {
        cli_print(
            stderr, "%s: %" PRIu32 " frame%s, %ux%u, %s, copied without encoding, in %.1f s\n",
            params->output, pictures->num_frames, pictures->num_frames == 1 ? "" : "s",
            pictures->width, pictures->height, cli_movie_codec_fourcc(params->codec).text, seconds);
    }
}

static enum weir_result write_part(struct cut *cut)
{
    const struct cli_movie_params *params = &cut->movie->params;
    struct cli_progress *progress = &cut->movie->progress;
    const struct cli_movie_target target = {
        .path = params->output, .open = get_input, .user = cut, .progress = progress};
    CLI_FAIL_IF(!make_part(cut), WEIR_ERROR_OUT_OF_MEMORY, "no memory for the part");
    cli_progress_start(progress, params->quiet);
    const enum weir_result result = cli_movie_write(&cut->part, &target);
    const double seconds = cli_progress_finish(progress);
    if (result == WEIR_OK) {
        report(cut, seconds);
    }
    return result;
}

bool transcode_cut(struct cli_movie *movie, enum weir_result *result)
{
    struct cut cut = {.movie = movie, .fd = -1};
    const bool is_copied = read_whole(&cut) && can_copy(&cut) && find_frames(&cut);
    if (is_copied) {
        *result = write_part(&cut);
    }
    weir_chapters_finish(&cut.part.chapters);
    free(cut.part.pieces);
    weir_movie_finish(&cut.found.movie);
    weir_view_finish(&cut.view);
    if (cut.fd >= 0) {
        close(cut.fd);
    }
    return is_copied;
}
