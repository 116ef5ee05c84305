// SPDX-License-Identifier: MIT
// What is left of a movie: its frames and samples, their times, and what they are.
#include "capture/weir/recover/recover.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/movie/hap.h"
#include "capture/weir/common/shared_options.h"

// Windows of the two views [bytes].
#define NEAR_ROOM 4096u
#define FAR_ROOM (1u << 20)

bool recover_refuse(struct recover_found *found, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(found->refusal, sizeof(found->refusal), format, arguments);
    va_end(arguments);
    return false;
}

// Without memory for its chapters it is a head too, of a movie that is incomplete.
static bool is_head(enum weir_result result)
{
    return result == WEIR_OK || result == WEIR_ERROR_OUT_OF_MEMORY;
}

// Find the rest of moov behind mvhd, its first box: the head of mdat has replaced their heads.
// mvhd has one of two sizes, by its version.
static bool restore(struct weir_view *view, struct weir_box *box)
{
    const uint8_t *version = weir_view_at(view, box->payload, 1);
    if (!version) {
        return false;
    }
    struct weir_box moov = {.type = WEIR_BOX("moov"), .begin = box->begin}, child;
    moov.payload = moov.end = box->begin + 8 + (version[0] == 1 ? 120 : 108);
    while (weir_box_read(view, moov.end, view->source.size, &child) &&
           weir_box_is(child.type, "trak mvex udta meta iods") && child.end <= view->source.size) {
        moov.end = child.end;
    }
    *box = moov;
    return true;
}

// Read the head of a movie that grew. Where the movie was closed, its first 16 bytes became those
// of a large mdat: `is_restored` becomes true.
static bool read_grown(struct recover_search *search, struct weir_movie_found *head,
                       bool *is_restored)
{
    struct weir_view *view = &search->near;
    const uint64_t size = view->source.size;
    struct weir_box box;
    uint64_t at = 0;
    *head = (struct weir_movie_found){.num_tracks = 0};
    while (weir_box_read(view, at, size, &box) && weir_box_is(box.type, "ftyp uuid") &&
           box.end <= size) {
        at = box.end;
    }
    if (!weir_box_read(view, at, size, &box)) {
        return false;
    }
    *is_restored = box.type == WEIR_BOX("mdat") && box.payload - box.begin == 16;
    const bool is_read = (!*is_restored || restore(view, &box)) && box.type == WEIR_BOX("moov") &&
                         box.end <= size && box.end <= search->far.room &&
                         is_head(weir_movie_read_moov(view, &box, head)) && head->is_fragmented;
    const uint8_t *mvhd = is_read && *is_restored ? weir_view_at(view, box.begin + 16, 8) : NULL;
    if (mvhd && mvhd[0] == 0) {
        head->movie.metadata.creation_time = weir_boxes_read_u32(mvhd + 4);
    }
    return is_read;
}

// Search the whole file for a moov box, and read the last one of those that are sound.
static bool read_any(struct recover_search *search, struct weir_movie_found *head)
{
    struct weir_view *near = &search->near, *far = &search->far;
    enum { LOOKED_AT = 8 };
    const uint64_t size = far->source.size;
    bool is_found = false;
    near->work = 0;
    *head = (struct weir_movie_found){.num_tracks = 0};
    for (uint64_t at = 0; at < size && size - at >= LOOKED_AT;) {
        size_t part;
        const uint8_t *bytes = weir_view_stretch(far, at, &part);
        for (size_t i = 0; bytes && i + LOOKED_AT <= part; i++) {
            struct weir_box box;
            struct weir_movie_found candidate;
            if (memcmp(bytes + i + 4, "moov", 4) != 0 || !weir_view_affords(near, at + i) ||
                !weir_box_read(near, at + i, size, &box) || box.end > size) {
                continue;
            }
            const bool is_sound = is_head(weir_movie_read_moov(near, &box, &candidate));
            weir_movie_finish(is_sound ? &head->movie : &candidate.movie);
            *head = is_sound ? candidate : *head;
            is_found = is_found || is_sound;
        }
        at += bytes && part >= LOOKED_AT ? part - LOOKED_AT + 1 : part;
    }
    return is_found;
}

// Make what a head says the movie that is found. Chapters that an index had stay: a movie that
// grows has none yet.
static void take_over(struct recover_search *search, struct weir_movie_found *head)
{
    struct weir_movie *movie = &search->found->movie;
    if (head->is_fragmented) {
        weir_chapters_finish(&head->movie.chapters);
        head->movie.chapters = movie->chapters;
        movie->chapters = (struct weir_chapters){.items = NULL};
    }
    weir_movie_finish(movie);
    *movie = head->movie;
    movie->segment = search->segment;
    head->movie = (struct weir_movie){.pieces = NULL};
    search->head = *head;
}

// Go by a head that was read. False: it is of no movie that is recovered.
static bool accept(struct recover_search *search, struct weir_movie_found *head)
{
    take_over(search, head);
    if (search->found->movie.is_incomplete) {
        return recover_refuse(search->found, "no memory is left for its head");
    }
    const struct weir_movie_pictures *pictures = &search->found->movie.pictures;
    const uint32_t tag = pictures->tag;
    search->scan.format = (struct weir_hap_format){
        .codec = weir_hap_codec_of_tag(tag), .width = pictures->width, .height = pictures->height};
    if (!search->scan.format.codec) {
        return recover_refuse(search->found,
                              "its pictures are '%s', and only HAP movies are recovered",
                              cli_fourcc_of(tag).text);
    }
    // Time code comes last: where it is all that is wrong, it is damaged.
    const struct weir_movie_found *read = &search->head;
    search->found->is_timecode_lost = !read->is_ours && read->foreign == WEIR_BOX("tmcd") &&
                                      read->num_tracks == 2 + search->found->movie.num_audio;
    return read->is_ours || search->found->is_timecode_lost ||
           recover_refuse(search->found,
                          "its %u tracks are from another program; only movies such as Weir writes "
                          "are recovered: pictures, with or without PCM audio",
                          search->head.num_tracks);
}

// Forget all pieces that were found.
static void clear(struct recover_search *search)
{
    struct recover_found *found = search->found;
    struct weir_scan *scan = &search->scan;
    weir_movie_clear(&found->movie);
    found->num_lost = found->num_parts = 0;
    free(scan->marks);
    *scan = (struct weir_scan){
        .near = &search->near, .far = &search->far, .movie = &found->movie, .format = scan->format};
}

// Search for fragments and frames. Returns how many fragments another program wrote, if there are
// no others.
static uint64_t scan(struct recover_search *search, uint64_t at)
{
    struct recover_found *found = search->found;
    struct weir_scan *scan = &search->scan;
    clear(search);
    scan->end = at;
    weir_scan_run(scan, at);
    found->end = scan->end;
    found->movie.pictures.ticks_per_frame = scan->ticks_per_frame;
    found->num_parts = scan->num_parts;
    found->num_unknown_audio = scan->num_unknown_audio;
    found->is_torn = scan->is_torn;
    found->num_behind = search->near.source.size - found->end;
    if (scan->is_out_of_memory) {
        recover_refuse(found, "no memory is left for the list of its frames");
    }
    return scan->ticks_per_frame == 0 ? scan->num_foreign : 0;
}

// True if the number of the first frame lies in the head, if there is a track of time code.
static bool has_own_timecode(const struct recover_search *search)
{
    const struct weir_timecode_track *timecode = &search->found->movie.timecode;
    const uint64_t end = search->head.moov.end;
    return timecode->first.frames_per_second == 0 ||
           (timecode->offset <= end && end - timecode->offset >= 4);
}

static bool find_grown(struct recover_search *search, struct weir_movie_found *head,
                       bool is_restored)
{
    struct recover_found *found = search->found;
    if (!accept(search, head)) {
        return false;
    }
    found->movie.timecode.offset = search->head.timecode_at; // its table may be damaged
    if (!has_own_timecode(search)) {
        return recover_refuse(found, "its time code track is from another program");
    }
    const uint8_t *bytes = weir_view_at(&search->near, search->head.moov.begin,
                                        sizeof(found->patch.before));
    if (!bytes) {
        return recover_refuse(found, "its head cannot be read");
    }
    memcpy(found->patch.before, bytes, sizeof(found->patch.before));
    found->patch.offset = search->head.moov.begin;
    if (scan(search, search->head.moov.end) > 0) {
        return recover_refuse(found, "its fragments were written by another program; ffmpeg -i "
                                     "FILE -c copy NEW.mov may read them");
    }
    struct weir_box index;
    const bool has_index = is_restored && weir_box_find(&search->near, 0, search->near.source.size,
                                                        "moov", &index);
    found->state = !is_restored ? RECOVER_NOT_CLOSED : has_index ? RECOVER_DAMAGED : RECOVER_CUT;
    found->num_behind = has_index ? 0 : found->num_behind;
    found->is_in_place = true;
    return true;
}

static bool use_given_format(struct recover_search *search)
{
    const struct recover_params *params = search->params;
    struct weir_movie *movie = &search->found->movie;
    if (params->size.width == 0 || params->rate.num == 0) {
        return recover_refuse(search->found,
                              "it has neither head nor index of a movie; to search it for frames, "
                              "give their size and rate: --size WxH --fps N");
    }
    weir_movie_finish(movie);
    movie->pictures.width = params->size.width;
    movie->pictures.height = params->size.height;
    movie->segment = search->segment;
    search->scan.format = (struct weir_hap_format){.width = params->size.width,
                                                   .height = params->size.height};
    return true;
}

// Search for the frames of a movie whose head is lost: by an index that is left anywhere, else one
// by one.
static bool find_lost(struct recover_search *search)
{
    struct recover_found *found = search->found;
    struct weir_timecode_track *timecode = &found->movie.timecode;
    struct weir_movie_found head;
    const bool has_head = read_any(search, &head);
    if (has_head ? !accept(search, &head) : !use_given_format(search)) {
        return false;
    }
    // The number of the first frame lay in the head, and something else may be in its place.
    if (timecode->first.frames_per_second > 0 && !search->head.is_timecode_marked) {
        found->is_timecode_lost = true;
        *timecode = (struct weir_timecode_track){.offset = 0};
    }
    const bool has_frames = has_head && recover_read_tables(search);
    const uint32_t num = found->movie.num_pieces;
    found->state = RECOVER_SALVAGED;
    if (found->refusal[0] != 0 || (has_frames && recover_agrees(search))) {
        return has_frames;
    }
    scan(search, 0);
    if (has_frames && num > found->movie.num_pieces) {
        clear(search);
        recover_read_tables(search);
        found->state = RECOVER_SALVAGED;
    }
    if (!search->scan.format.codec) {
        weir_movie_clear(&found->movie); // none was found, or its head could not be read again
    } else if (!has_head) {
        const bool is_premultiplied = search->params->premultiplied;
        weir_hap_describe(search->scan.format.codec, is_premultiplied, &found->movie.pictures);
        found->is_alpha_assumed = search->scan.format.codec->has_alpha && !is_premultiplied;
    }
    return true;
}

// Go by the index of a movie that was closed. False: there is none, it has no frame, or the movie
// is not one that is recovered: found->refusal says why.
static bool find_by_index(struct recover_search *search)
{
    struct weir_movie_found head;
    clear(search);
    if (!is_head(weir_movie_read(&search->near, &head)) || head.is_fragmented) {
        weir_movie_finish(&head.movie);
        return false;
    }
    return accept(search, &head) && recover_read_tables(search);
}

// Where fragments say anything else than the index, they win, unless the index has more.
static bool find_frames(struct recover_search *search)
{
    struct recover_found *found = search->found;
    struct weir_movie_found head;
    const bool has_index = find_by_index(search);
    const bool agrees = has_index && recover_agrees(search);
    if (agrees && found->state == RECOVER_NOTHING_TO_DO) {
        return true;
    }
    const uint32_t num = has_index ? found->movie.num_pieces : 0;
    bool is_restored, is_found = true;
    if (read_grown(search, &head, &is_restored)) {
        found->refusal[0] = 0;
        is_found = find_grown(search, &head, is_restored);
    } else {
        weir_movie_finish(&head.movie);
        if (!has_index || agrees) {
            return has_index || (found->refusal[0] == 0 && find_lost(search));
        }
        scan(search, 0);
        found->state = RECOVER_DAMAGED;
    }
    if (num > found->movie.num_pieces) {
        *found = (struct recover_found){.movie = found->movie};
        return find_by_index(search);
    }
    return is_found;
}

bool recover_find(const struct recover_params *params, struct recover_found *found)
{
    *found = (struct recover_found){.state = RECOVER_SALVAGED};
    struct recover_search search = {.params = params, .found = found};
    const uint64_t size = params->source.size;
    const size_t far_room = size < NEAR_ROOM  ? NEAR_ROOM
                            : size < FAR_ROOM ? (size_t)size
                                              : FAR_ROOM;
    bool is_found = weir_view_init(&search.near, &params->source, NEAR_ROOM);
    is_found = weir_view_init(&search.far, &params->source, far_room) && is_found;
    if (!is_found) {
        recover_refuse(found, "no memory is left");
    }
    if (is_found && !weir_segment_read(&search.near, &search.segment)) {
        search.segment.number = 0;
    }
    is_found = is_found && find_frames(&search) && found->refusal[0] == 0 &&
               recover_repair(&search);
    weir_view_finish(&search.near);
    weir_view_finish(&search.far);
    free(search.scan.marks);
    return is_found;
}

void recover_found_finish(struct recover_found *found)
{
    weir_movie_finish(&found->movie);
}
