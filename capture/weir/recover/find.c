// SPDX-License-Identifier: MIT
// What is left of a movie: its frames and samples, their times, and what they are.
#include "capture/weir/recover/find.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/movie/codec.h"
#include "capture/weir/recover/head.h"
#include "capture/weir/recover/repair.h"

// Windows of the two views [bytes].
#define NEAR_ROOM 4096u
#define FAR_ROOM (1u << 20)

struct find {
    const struct recover_params *params;
    struct recover_found *found;
    struct weir_view near, far;
    struct weir_hap_format format;
    struct weir_movie_found head; // what says what the tracks are; its movie is found->movie
    struct weir_segment segment;
    struct weir_scan_mark *marks;
    uint64_t num_lost_fragments; // by their numbers
    bool stopped;                // by progress()
};

bool recover_refuse(struct recover_found *found, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(found->refusal, sizeof(found->refusal), format, arguments);
    va_end(arguments);
    return false;
}

// Make what a head says the movie that is found. Chapters that an index had stay: a movie that
// grows has none yet.
static void take_over(struct find *find, struct weir_movie_found *head)
{
    struct weir_movie *movie = &find->found->movie;
    if (head->is_fragmented) {
        weir_chapters_finish(&head->movie.chapters);
        head->movie.chapters = movie->chapters;
        movie->chapters = (struct weir_chapters){.items = NULL};
    }
    weir_movie_finish(movie);
    *movie = head->movie;
    movie->segment = find->segment;
    head->movie = (struct weir_movie){.pieces = NULL};
    find->head = *head;
}

// Go by a head that was read. False: it is of no movie that is recovered.
static bool accept(struct find *find, struct weir_movie_found *head)
{
    take_over(find, head);
    if (find->found->movie.is_incomplete) {
        return recover_refuse(find->found, "there is no memory for its head");
    }
    const struct weir_movie_pictures *pictures = &find->found->movie.pictures;
    const uint32_t tag = pictures->tag;
    find->format = (struct weir_hap_format){
        .codec = weir_hap_codec_of_tag(tag), .width = pictures->width, .height = pictures->height};
    if (!find->format.codec) {
        char name[5] = {(char)(tag >> 24), (char)(tag >> 16), (char)(tag >> 8), (char)tag, 0};
        for (int i = 0; i < 4; i++) {
            name[i] = name[i] >= ' ' && name[i] <= '~' ? name[i] : '?';
        }
        return recover_refuse(find->found,
                              "its pictures are '%s', and only movies of HAP are recovered", name);
    }
    return find->head.is_ours ||
           recover_refuse(find->found,
                          "another program made its %u tracks; only movies of pictures, with or "
                          "without sound that is not compressed, as Weir makes them, are recovered",
                          find->head.num_tracks);
}

static bool has_frame(struct find *find, const struct weir_piece *frame)
{
    const uint64_t end = frame->offset + frame->size;
    uint64_t frame_end;
    return weir_hap_check(&find->near, &find->format, frame->offset, end, WEIR_HAP_HEADERS,
                          &frame_end) &&
           frame_end == end;
}

// Read frames and samples from the tables of the head. False: it has no frame, or none is where it
// says.
static bool read_tables(struct find *find)
{
    struct recover_found *found = find->found;
    struct weir_movie *movie = &found->movie;
    if (weir_movie_read_tables(&find->near, find->head.tracks, movie) != WEIR_OK) {
        return recover_refuse(found, "there is no memory for its index");
    }
    const uint32_t num = movie->num_pieces;
    weir_movie_clear(movie);
    found->num_lost = 0;
    for (uint32_t i = 0; i < num; i++) {
        const struct weir_piece piece = movie->pieces[i];
        if (piece.size > 0 && (piece.track > 0 || has_frame(find, &piece))) {
            weir_movie_add(movie, &piece); // there is room
        } else {
            recover_count_lost(found, piece.time, piece.track == 0);
        }
    }
    found->num_parts = found->num_lost;
    found->state = !find->head.tracks[0].is_damaged && found->num_lost == 0 ? RECOVER_NOTHING_TO_DO
                                                                            : RECOVER_DAMAGED;
    return movie->pictures.num_frames > 0;
}

// Forget what the tables said.
static void clear(struct recover_found *found)
{
    weir_movie_clear(&found->movie);
    found->num_lost = found->num_parts = 0;
}

// Search for fragments and frames. Returns how many fragments another program wrote, if there are
// no others.
static uint64_t scan(struct find *find, uint64_t at)
{
    struct recover_found *found = find->found;
    struct weir_scan scan = {
        .near = &find->near,
        .far = &find->far,
        .format = find->format,
        .movie = &found->movie,
        .progress = find->params->progress,
        .user = find->params->user,
        .end = at,
    };
    clear(found);
    weir_scan_run(&scan, at);
    find->format = scan.format;
    find->marks = scan.marks;
    const uint64_t num_there = found->movie.num_pieces + scan.num_unknown_audio;
    const uint64_t num_foreign = scan.ticks_per_frame == 0 ? scan.num_foreign : 0;
    find->num_lost_fragments = scan.num_known > num_there ? scan.num_known - num_there : 0;
    find->stopped = scan.stopped && !scan.is_out_of_memory && num_foreign == 0;
    found->end = scan.end;
    found->movie.pictures.ticks_per_frame = scan.ticks_per_frame;
    found->num_parts = scan.num_parts;
    found->num_unknown_audio = scan.num_unknown_audio;
    found->is_torn = scan.is_torn;
    found->num_behind = find->near.source.size - found->end;
    if (scan.is_out_of_memory) {
        recover_refuse(found, "there is no memory for the list of its frames");
    }
    return num_foreign;
}

// True if the number of the first frame lies in the head, if there is a track of time code.
static bool has_own_timecode(const struct find *find)
{
    const struct weir_timecode_track *timecode = &find->found->movie.timecode;
    const uint64_t end = find->head.moov.end;
    return timecode->first.frames_per_second == 0 ||
           (timecode->offset == find->head.timecode_at && timecode->offset <= end &&
            end - timecode->offset >= 4);
}

static bool find_grown(struct find *find, struct weir_movie_found *head, bool is_restored)
{
    struct recover_found *found = find->found;
    if (!accept(find, head)) {
        return false;
    }
    if (!has_own_timecode(find)) {
        return recover_refuse(found, "another program made its track of time code");
    }
    const uint8_t *bytes = weir_view_at(&find->near, find->head.moov.begin, sizeof(found->before));
    if (!bytes) {
        return recover_refuse(found, "its head cannot be read");
    }
    memcpy(found->before, bytes, sizeof(found->before));
    found->moov = find->head.moov.begin;
    if (scan(find, find->head.moov.end) > 0) {
        return recover_refuse(found, "its fragments were written by another program; ffmpeg -i "
                                     "FILE -c copy NEW.mov may read them");
    }
    found->state = is_restored ? RECOVER_CUT : RECOVER_NOT_CLOSED;
    found->is_in_place = true;
    return true;
}

static bool use_given_format(struct find *find)
{
    const struct recover_params *params = find->params;
    struct weir_movie *movie = &find->found->movie;
    if (params->width == 0 || params->rate_num == 0) {
        return recover_refuse(find->found,
                              "no head and no index of a movie is left in it; to search for the "
                              "frames of one, give their size and rate: --size WxH --fps N");
    }
    weir_movie_finish(movie);
    movie->pictures.width = params->width;
    movie->pictures.height = params->height;
    movie->segment = find->segment;
    find->format = (struct weir_hap_format){.width = params->width, .height = params->height};
    return true;
}

// Describe frames whose codec the frames themselves said.
static void describe(struct find *find)
{
    struct weir_movie_pictures *pictures = &find->found->movie.pictures;
    const struct weir_movie_codec_info *codec = find->format.codec;
    const bool premultiplied = find->params->premultiplied;
    pictures->tag = weir_hap_tag(codec);
    pictures->color_primaries = WEIR_HAP_PRIMARIES_BT709;
    pictures->color_transfer = weir_hap_transfer(codec);
    pictures->color_matrix = WEIR_HAP_MATRIX_RGB;
    pictures->graphics_mode = weir_hap_graphics_mode(codec, premultiplied);
    find->found->is_alpha_assumed = codec->has_alpha && !premultiplied;
}

// Search for the frames of a movie whose head is lost: by an index that is left anywhere, else one
// by one.
static bool find_lost(struct find *find)
{
    struct recover_found *found = find->found;
    struct weir_timecode_track *timecode = &found->movie.timecode;
    struct weir_movie_found head;
    const bool has_head = recover_read_any(&find->near, &find->far, &head);
    if (has_head ? !accept(find, &head) : !use_given_format(find)) {
        return false;
    }
    // The number of the first frame lay in the head, and something else may be in its place.
    if (timecode->first.frames_per_second > 0 && !find->head.is_timecode_marked) {
        found->is_timecode_lost = true;
        *timecode = (struct weir_timecode_track){.offset = 0};
    }
    const bool has_frames = has_head && read_tables(find);
    found->state = RECOVER_SALVAGED;
    if (has_frames || found->refusal[0] != 0) {
        return has_frames;
    }
    scan(find, 0);
    if (!find->format.codec) {
        weir_movie_clear(&found->movie); // none was found, or its head could not be read again
    } else if (!has_head) {
        describe(find);
    }
    return true;
}

// True if the frames of a plain movie are damaged, and it has audio, which its fragments have too.
static bool lacks_audio(const struct recover_found *found)
{
    return found->state == RECOVER_DAMAGED && found->movie.num_audio > 0;
}

static bool find_frames(struct find *find)
{
    struct weir_movie_found head;
    bool is_restored, is_read = recover_read_first(&find->near, &head);
    if (is_read && !head.is_fragmented) {
        // An index says what the file is; one of another format is not searched.
        if (!accept(find, &head)) {
            return false;
        }
        if (read_tables(find) && !lacks_audio(find->found)) {
            return true;
        }
        if (find->found->refusal[0] != 0) {
            return false;
        }
        clear(find->found);
    }
    weir_movie_finish(&head.movie);
    if (recover_read_grown(&find->near, &find->far, &head, &is_restored)) {
        return find_grown(find, &head, is_restored);
    }
    weir_movie_finish(&head.movie);
    return find_lost(find);
}

static bool complete(struct find *find)
{
    struct recover_found *found = find->found;
    const struct recover_repair repair = {
        .params = find->params,
        .found = found,
        .marks = find->marks,
        .view = &find->far,
        .format = &find->format,
        .checks_all = find->params->checks_all || found->num_parts > 0 || find->near.failed,
        .num_lost_fragments = find->num_lost_fragments,
    };
    return !find->stopped && found->refusal[0] == 0 && recover_repair(&repair);
}

bool recover_find(const struct recover_params *params, struct recover_found *found)
{
    *found = (struct recover_found){.state = RECOVER_SALVAGED};
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
    if (is_found && !weir_segment_read(&find.near, &find.segment)) {
        find.segment.number = 0;
    }
    is_found = is_found && find_frames(&find) && complete(&find);
    weir_view_finish(&find.near);
    weir_view_finish(&find.far);
    free(find.marks);
    return is_found;
}

void recover_found_finish(struct recover_found *found)
{
    weir_movie_finish(&found->movie);
}
