// SPDX-License-Identifier: MIT
// The boxes that say what a movie holds: where a player finds them, and where else they are left.
#include "capture/weir/recover/head.h"

#include <stdlib.h>
#include <string.h>

#include "capture/movie/fragment.h"
#include "capture/movie/head.h"
#include "capture/movie/head_copy.h"
#include "capture/weir/remux/timecode.h"

bool recover_moov_find(struct weir_view *view, struct weir_moov *moov)
{
    struct weir_box box;
    return weir_box_find(view, 0, view->source.size, WEIR_BOX('m', 'o', 'o', 'v'), &box) &&
           weir_moov_read(view, &box, moov);
}

static bool is_in_moov(uint32_t type)
{
    return type == WEIR_BOX('t', 'r', 'a', 'k') || type == WEIR_BOX('m', 'v', 'e', 'x') ||
           type == WEIR_BOX('u', 'd', 't', 'a') || type == WEIR_BOX('m', 'e', 't', 'a') ||
           type == WEIR_BOX('i', 'o', 'd', 's');
}

// Put back the head of moov and that of mvhd, its first box, which the head of mdat has replaced.
// mvhd has one of two sizes, by its version; the sizes of the others add up to that of moov.
static bool restore(struct weir_view *near, struct weir_view *far, const struct weir_box *mdat)
{
    const uint8_t *version = weir_view_at(near, mdat->payload, 1);
    if (!version) {
        return false;
    }
    const uint32_t mvhd_size = version[0] == 1 ? 120 : 108;
    uint64_t end = mdat->begin + 8 + mvhd_size;
    struct weir_box box;
    while (weir_box_read(near, end, near->source.size, &box) && is_in_moov(box.type) &&
           box.end <= near->source.size) {
        end = box.end;
    }
    uint8_t bytes[WEIR_VIEW_PATCH_SIZE];
    struct weir_boxes boxes = {.bytes = bytes, .room = sizeof(bytes)};
    weir_boxes_u32(&boxes, (uint32_t)(end - mdat->begin));
    weir_boxes_u32(&boxes, WEIR_BOX('m', 'o', 'o', 'v'));
    weir_boxes_u32(&boxes, mvhd_size);
    weir_boxes_u32(&boxes, WEIR_BOX('m', 'v', 'h', 'd'));
    if (end - mdat->begin > far->room) {
        return false;
    }
    weir_view_patch(near, mdat->begin, bytes);
    weir_view_patch(far, mdat->begin, bytes);
    return true;
}

// uuid: which recording the movie is a segment of.
static bool is_before_moov(uint32_t type)
{
    return type == WEIR_BOX('f', 't', 'y', 'p') || type == WEIR_BOX('u', 'u', 'i', 'd');
}

bool recover_head_find(struct weir_view *near, struct weir_view *far, struct recover_head *head)
{
    const uint64_t size = near->source.size;
    struct weir_box box;
    uint64_t at = 0;
    while (weir_box_read(near, at, size, &box) && is_before_moov(box.type) && box.end <= size) {
        at = box.end;
    }
    if (!weir_box_read(near, at, size, &box)) {
        return false;
    }
    const bool is_hidden = box.type == WEIR_BOX('m', 'd', 'a', 't') &&
                           box.payload - box.begin == 16;
    if (is_hidden && (!restore(near, far, &box) || !weir_box_read(near, at, size, &box))) {
        return false;
    }
    head->is_restored = is_hidden;
    const bool is_found = box.type == WEIR_BOX('m', 'o', 'o', 'v') && box.end <= size &&
                          box.end <= far->room && weir_moov_read(near, &box, &head->moov) &&
                          head->moov.is_fragmented;
    if (!is_found) {
        near->is_patched = far->is_patched = false;
        near->filled = far->filled = 0;
    }
    return is_found;
}

bool recover_moov_search(struct weir_view *near, struct weir_view *far, struct weir_moov *moov)
{
    enum { LOOKED_AT = 8 };
    const uint64_t size = far->source.size;
    bool is_found = false;
    for (uint64_t at = 0; at < size && size - at >= LOOKED_AT;) {
        size_t part;
        const uint8_t *bytes = weir_view_stretch(far, at, &part);
        for (size_t i = 0; bytes && i + LOOKED_AT <= part; i++) {
            struct weir_box box;
            struct weir_moov candidate;
            if (memcmp(bytes + i + 4, "moov", 4) == 0 && weir_box_read(near, at + i, size, &box) &&
                box.end <= size && weir_moov_read(near, &box, &candidate)) {
                *moov = candidate;
                is_found = true;
            }
        }
        at += bytes && part >= LOOKED_AT ? part - LOOKED_AT + 1 : part;
    }
    return is_found;
}

static bool copy_head(struct weir_view *view, const struct weir_moov *moov, size_t *moov_at,
                      struct weir_boxes *boxes)
{
    weir_head_write_ftyp(boxes);
    const size_t begin = *moov_at = weir_boxes_begin(boxes, WEIR_BOX('m', 'o', 'o', 'v'));
    bool is_copied = weir_head_copy_mvhd(view, &moov->box, boxes) &&
                     weir_head_copy_track(view, &moov->trak, WEIR_FRAGMENT_TRACK, boxes);
    for (uint32_t i = 0; is_copied && i < moov->num_audio; i++) {
        is_copied = weir_head_copy_track(view, &moov->audio[i].trak, WEIR_FRAGMENT_FIRST_AUDIO + i,
                                         boxes);
    }
    weir_head_write_mvex(boxes, 1 + moov->num_audio);
    weir_boxes_end(boxes, begin);
    return is_copied && !boxes->overflow;
}

// Leave out all sound: nothing says what it is.
static void drop_sound(struct recover_found *found)
{
    struct remux_movie *movie = &found->movie;
    size_t num = 0;
    for (size_t i = 0; i < movie->num_pieces; i++) {
        if (movie->pieces[i].track == 0) {
            movie->pieces[num++] = movie->pieces[i];
        } else {
            found->num_unknown_audio++;
        }
    }
    movie->num_pieces = num;
    movie->num_audio = 0;
    found->num_silent = 0;
}

static bool insert_timecode(struct recover_found *found)
{
    const struct weir_timecode_head head = {
        .bytes = found->head,
        .size = found->head_size,
        .moov = found->moov,
        .num_tracks = 1 + found->movie.num_audio,
        .ticks_per_second = found->movie.ticks_per_second,
        .ticks_per_frame = found->movie.ticks_per_frame,
        .rate_num = found->timecode.rate_num,
        .rate_den = found->timecode.rate_den,
    };
    return remux_timecode_insert(&found->timecode.timecode, &head, &found->head, &found->head_size);
}

// Make a head of pictures alone.
static bool make_head(struct recover_found *found)
{
    const struct weir_track *track = &found->track;
    struct weir_movie movie = {.pictures = {.tag = track->tag,
                                            .width = track->width,
                                            .height = track->height,
                                            .pixel_aspect_num = track->pixel_aspect_num,
                                            .pixel_aspect_den = track->pixel_aspect_den,
                                            .color_primaries = track->color_primaries,
                                            .color_transfer = track->color_transfer,
                                            .color_matrix = track->color_matrix,
                                            .graphics_mode = track->graphics_mode,
                                            .ticks_per_second = found->movie.ticks_per_second,
                                            .ticks_per_frame = found->movie.ticks_per_frame}};
    struct weir_head head;
    const bool is_made = weir_head_make(&movie, &head);
    found->head = head.bytes;
    found->head_size = head.size;
    found->moov = head.moov;
    return is_made;
}

bool recover_head_make(struct recover_found *found, const struct weir_moov *moov,
                       struct weir_view *view)
{
    const uint32_t num_tracks = 1 + (moov ? moov->num_audio : 0);
    const size_t room = WEIR_HEAD_MAX_REST + num_tracks * (size_t)WEIR_HEAD_MAX_TRACK;
    struct weir_boxes boxes = {.bytes = malloc(room), .room = room};
    if (!boxes.bytes) {
        return false;
    }
    if (moov && copy_head(view, moov, &found->moov, &boxes)) {
        found->head = boxes.bytes;
        found->head_size = boxes.size;
    } else {
        free(boxes.bytes);
        drop_sound(found);
        if (!make_head(found)) {
            return false;
        }
    }
    return !found->has_timecode || insert_timecode(found);
}
