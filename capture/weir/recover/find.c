// SPDX-License-Identifier: MIT
// What is left of a movie: its frames, their times, and the head that says what they are.
#include "capture/weir/recover/find.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/movie/chapters_reader.h"
#include "capture/movie/segment_reader.h"
#include "capture/weir/recover/head.h"
#include "capture/weir/recover/repair.h"
#include "capture/weir/recover/walk.h"

// Windows of the two views [bytes].
#define NEAR_ROOM 4096u
#define FAR_ROOM (1u << 20)

struct find {
    const struct recover_params *params;
    struct recover_found *found;
    struct weir_view near, far;
    struct recover_kind kind;
    struct weir_moov moov; // the one that says what the tracks are, if `has_moov`
    bool has_moov;
    uint64_t num_lost_fragments; // by their numbers
    bool stopped;                // by progress()
    bool has_memory;
};

bool recover_refuse(struct recover_found *found, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(found->refusal, sizeof(found->refusal), format, arguments);
    va_end(arguments);
    return false;
}

// Chapters are those of an index; a movie that grows has none yet.
static bool read_chapters(struct find *find, const struct weir_moov *moov)
{
    struct weir_chapters *chapters = &find->found->chapters;
    weir_chapters_finish(chapters);
    return moov->is_fragmented || weir_chapters_read(&find->near, &moov->box, chapters) ||
           recover_refuse(find->found, "there is no memory for its chapters");
}

static bool accept_track(struct find *find, const struct weir_moov *moov)
{
    const uint32_t tag = moov->track.tag;
    find->kind = (struct recover_kind){.codec = weir_hap_codec_of_tag(tag),
                                       .width = moov->track.width,
                                       .height = moov->track.height};
    find->found->track = moov->track;
    if (!find->kind.codec) {
        char name[5] = {(char)(tag >> 24), (char)(tag >> 16), (char)(tag >> 8), (char)tag, 0};
        for (int i = 0; i < 4; i++) {
            name[i] = name[i] >= ' ' && name[i] <= '~' ? name[i] : '?';
        }
        return recover_refuse(find->found,
                              "its pictures are '%s', and only movies of HAP are recovered", name);
    }
    if (!moov->is_ours) {
        return recover_refuse(
            find->found,
            "another program made its %u tracks; only movies of pictures, with or without "
            "sound that is not compressed, as Weir makes them, are recovered",
            moov->num_tracks);
    }
    struct remux_movie *movie = &find->found->movie;
    movie->num_audio = moov->num_audio;
    for (uint32_t i = 0; i < moov->num_audio; i++) {
        find->found->audio[i] = moov->audio[i];
        movie->audio[i] = (struct remux_audio){.sample_rate = moov->audio[i].sample_rate,
                                               .sample_size = moov->audio[i].sample_size};
    }
    movie->ticks_per_second = moov->track.ticks_per_second;
    find->found->has_timecode = moov->has_timecode;
    find->found->timecode = moov->timecode;
    find->moov = *moov;
    find->has_moov = true;
    return read_chapters(find, moov);
}

static bool has_frame(struct find *find, const struct weir_sample *sample)
{
    uint64_t end;
    return sample->size > 0 &&
           recover_check(&find->near, &find->kind, sample->offset, sample->offset + sample->size,
                         RECOVER_HEADERS, &end) &&
           end == sample->offset + sample->size;
}

static bool visit_sample(void *user, const struct weir_sample *sample)
{
    struct find *find = user;
    struct recover_found *found = find->found;
    const bool is_frame = sample->track == 0;
    if (is_frame) {
        found->movie.ticks_per_frame = sample->length;
    }
    if (is_frame ? !has_frame(find, sample) : sample->size == 0) {
        recover_count_lost(found, sample->time, is_frame);
        return true;
    }
    found->num_frames += is_frame;
    find->has_memory = remux_movie_add(
        &found->movie, &(const struct remux_piece){.offset = sample->offset,
                                                   .time = sample->time,
                                                   .size = sample->size,
                                                   .track = (uint8_t)sample->track});
    return find->has_memory;
}

// Take the frames from the tables of a moov box. False: it has none, or they are not where it says.
static bool read_samples(struct find *find, const struct weir_moov *moov)
{
    struct recover_found *found = find->found;
    uint32_t damaged;
    found->num_lost = 0;
    find->has_memory = true;
    if (weir_samples_read(&find->near, moov, visit_sample, find, &damaged) != WEIR_OK ||
        !find->has_memory) {
        return recover_refuse(found, "there is no memory for its index");
    }
    found->num_parts = found->num_lost;
    found->state = (damaged & 1) == 0 && found->num_lost == 0 ? RECOVER_NOTHING_TO_DO
                                                              : RECOVER_DAMAGED;
    return found->num_frames > 0;
}

// Forget what the tables said.
static void clear(struct recover_found *found)
{
    found->movie.num_pieces = found->num_frames = 0;
    found->num_lost = found->num_parts = 0;
}

static void scan(struct find *find, uint64_t at, uint64_t *num_foreign)
{
    struct recover_found *found = find->found;
    struct recover_walk walk = {
        .near = &find->near,
        .far = &find->far,
        .kind = find->kind,
        .movie = &found->movie,
        .progress = find->params->progress,
        .user = find->params->user,
        .end = at,
    };
    clear(found);
    recover_walk_run(&walk, at);
    find->kind = walk.kind;
    found->end = walk.end;
    found->movie.ticks_per_frame = walk.ticks_per_frame;
    found->num_parts = walk.num_parts;
    found->num_unknown_audio = walk.num_unknown_audio;
    const uint64_t num_there = found->movie.num_pieces + walk.num_unknown_audio;
    find->num_lost_fragments = walk.num_known > num_there ? walk.num_known - num_there : 0;
    found->is_torn = walk.is_torn;
    found->num_behind = find->near.source.size - found->end;
    *num_foreign = walk.ticks_per_frame == 0 ? walk.num_foreign : 0;
    find->stopped = walk.stopped && !walk.is_out_of_memory && *num_foreign == 0;
    if (walk.is_out_of_memory) {
        recover_refuse(found, "there is no memory for the list of its frames");
    }
}

static bool copy_head(struct find *find, uint64_t moov, uint64_t end)
{
    struct recover_found *found = find->found;
    const uint8_t *bytes = weir_view_at(&find->far, 0, (size_t)end);
    found->head = bytes ? malloc((size_t)end) : NULL;
    if (!found->head) {
        return false;
    }
    memcpy(found->head, bytes, (size_t)end);
    found->head_size = (size_t)end;
    found->moov = (size_t)moov;
    return true;
}

static bool find_grown(struct find *find, const struct recover_head *head)
{
    struct recover_found *found = find->found;
    uint64_t num_foreign;
    if (!accept_track(find, &head->moov)) {
        return false;
    }
    const uint64_t end = head->moov.box.end, sample = found->timecode.sample;
    if (found->has_timecode && (sample != found->timecode.at || sample > end || end - sample < 4)) {
        return recover_refuse(find->found, "another program made its track of time code");
    }
    if (!copy_head(find, head->moov.box.begin, end)) {
        return recover_refuse(find->found, "there is no memory for its head");
    }
    scan(find, end, &num_foreign);
    if (num_foreign > 0) {
        return recover_refuse(
            find->found, "its fragments were written by another program; ffmpeg -i FILE -c copy "
                         "NEW.mov may read them");
    }
    found->state = head->is_restored ? RECOVER_CUT : RECOVER_NOT_CLOSED;
    found->is_in_place = true;
    return true;
}

static bool use_given_kind(struct find *find)
{
    const struct recover_params *params = find->params;
    if (params->width == 0 || params->rate_num == 0) {
        return recover_refuse(find->found,
                              "no head and no index of a movie is left in it; to search for the "
                              "frames of one, give their size and rate: --size WxH --fps N");
    }
    find->kind = (struct recover_kind){.width = params->width, .height = params->height};
    find->found->track = (struct weir_track){.width = params->width, .height = params->height};
    return true;
}

// Search for the frames of a movie whose head is lost: by an index that is left anywhere, else one
// by one.
static bool find_lost(struct find *find)
{
    struct recover_found *found = find->found;
    struct weir_moov moov;
    uint64_t num_foreign;
    const bool has_moov = recover_moov_search(&find->near, &find->far, &moov);
    found->state = RECOVER_SALVAGED;
    if (has_moov ? !accept_track(find, &moov) : !use_given_kind(find)) {
        return false;
    }
    // The number of the first frame lay in the head, and something else may be in its place.
    found->is_timecode_lost = found->has_timecode && !found->timecode.is_marked;
    found->has_timecode = found->has_timecode && found->timecode.is_marked;
    if (has_moov && read_samples(find, &moov)) {
        found->state = RECOVER_SALVAGED;
        return true;
    }
    if (found->refusal[0] != 0) {
        return false;
    }
    scan(find, 0, &num_foreign);
    if (!find->kind.codec) {
        found->movie.num_pieces = 0; // none was found, or its head could not be read again
    } else if (!has_moov) {
        found->track.tag = weir_hap_tag(find->kind.codec);
        found->track.color_primaries = WEIR_HAP_PRIMARIES_BT709;
        found->track.color_transfer = weir_hap_transfer(find->kind.codec);
        found->track.color_matrix = WEIR_HAP_MATRIX_RGB;
        found->track.graphics_mode = weir_hap_graphics_mode(find->kind.codec,
                                                            find->params->premultiplied);
        found->is_alpha_assumed = find->kind.codec->has_alpha && !find->params->premultiplied;
    }
    return true;
}

// True if the frames of a plain movie are damaged, and it has sound, which its fragments have too.
static bool lacks_sound(const struct find *find, const struct weir_moov *moov)
{
    return find->found->state == RECOVER_DAMAGED && moov->num_audio > 0;
}

static bool find_frames(struct find *find)
{
    struct weir_moov moov;
    struct recover_head head;
    if (recover_moov_find(&find->near, &moov) && !moov.is_fragmented) {
        // An index says what the file is; one of another kind is not searched.
        if (!accept_track(find, &moov)) {
            return false;
        }
        if (read_samples(find, &moov) && !lacks_sound(find, &moov)) {
            return true;
        }
        if (find->found->refusal[0] != 0) {
            return false;
        }
        clear(find->found);
    }
    if (recover_head_find(&find->near, &find->far, &head)) {
        return find_grown(find, &head);
    }
    return find_lost(find);
}

static bool complete(struct find *find)
{
    struct recover_found *found = find->found;
    const struct recover_repair repair = {
        .params = find->params,
        .found = found,
        .view = &find->far,
        .kind = &find->kind,
        .checks_all = find->params->checks_all || found->num_parts > 0 || find->near.failed,
        .num_lost_fragments = find->num_lost_fragments,
    };
    if (find->stopped || found->refusal[0] != 0 || !recover_repair(&repair)) {
        return false;
    }
    if (!found->head &&
        !recover_head_make(found, find->has_moov ? &find->moov : NULL, &find->near)) {
        return recover_refuse(found, "there is no memory for its head");
    }
    found->movie.head = found->head;
    found->movie.head_size = found->head_size;
    found->movie.moov = found->moov;
    found->movie.has_timecode = found->has_timecode;
    found->movie.chapters = &found->chapters;
    return true;
}

bool recover_find(const struct recover_params *params, struct recover_found *found)
{
    *found = (struct recover_found){.head = NULL};
    struct find find = {.params = params, .found = found};
    bool is_found = weir_view_init(&find.near, &params->source, NEAR_ROOM);
    const uint64_t size = params->source.size;
    const size_t far_room = size < NEAR_ROOM  ? NEAR_ROOM
                            : size < FAR_ROOM ? (size_t)size
                                              : FAR_ROOM;
    is_found = weir_view_init(&find.far, &params->source, far_room) && is_found;
    if (!is_found) {
        recover_refuse(found, "there is no memory");
    }
    found->is_segment = is_found && weir_segment_read(&find.near, &found->segment);
    is_found = is_found && find_frames(&find) && complete(&find);
    weir_view_finish(&find.near);
    weir_view_finish(&find.far);
    return is_found;
}

void recover_found_finish(struct recover_found *found)
{
    remux_movie_finish(&found->movie);
    weir_chapters_finish(&found->chapters);
    free(found->head);
    found->head = NULL;
}

double recover_found_seconds(const struct recover_found *found)
{
    return (double)(found->last_ticks + found->movie.ticks_per_frame) /
           found->movie.ticks_per_second;
}
