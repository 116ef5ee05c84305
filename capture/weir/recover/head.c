// SPDX-License-Identifier: MIT
// The boxes that say what a movie holds: where a player finds them, and where else they are left.
#include "capture/weir/recover/recover.h"

#include <string.h>

// Without memory for its chapters it is a head too, of a movie that is incomplete.
static bool is_head(enum weir_result result)
{
    return result == WEIR_OK || result == WEIR_ERROR_OUT_OF_MEMORY;
}

bool recover_read_first(struct recover_search *search, struct weir_movie_found *head)
{
    return is_head(weir_movie_read(&search->near, head));
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
    while (weir_box_read(near, end, near->source.size, &box) &&
           weir_box_is(box.type, "trak mvex udta meta iods") && box.end <= near->source.size) {
        end = box.end;
    }
    uint8_t bytes[WEIR_VIEW_PATCH_SIZE];
    struct weir_boxes boxes = {.bytes = bytes, .room = sizeof(bytes)};
    weir_boxes_u32(&boxes, (uint32_t)(end - mdat->begin));
    weir_boxes_u32(&boxes, WEIR_BOX("moov"));
    weir_boxes_u32(&boxes, mvhd_size);
    weir_boxes_u32(&boxes, WEIR_BOX("mvhd"));
    if (end - mdat->begin > far->room) {
        return false;
    }
    weir_view_patch(near, mdat->begin, bytes);
    weir_view_patch(far, mdat->begin, bytes);
    return true;
}

bool recover_read_grown(struct recover_search *search, struct weir_movie_found *head,
                        bool *is_restored)
{
    struct weir_view *near = &search->near, *far = &search->far;
    const uint64_t size = near->source.size;
    struct weir_box box;
    uint64_t at = 0;
    *head = (struct weir_movie_found){.num_tracks = 0};
    while (weir_box_read(near, at, size, &box) && weir_box_is(box.type, "ftyp uuid") &&
           box.end <= size) {
        at = box.end;
    }
    if (!weir_box_read(near, at, size, &box)) {
        return false;
    }
    *is_restored = box.type == WEIR_BOX("mdat") && box.payload - box.begin == 16;
    if (*is_restored && (!restore(near, far, &box) || !weir_box_read(near, at, size, &box))) {
        return false;
    }
    const bool is_found = box.type == WEIR_BOX("moov") && box.end <= size && box.end <= far->room &&
                          is_head(weir_movie_read_moov(near, &box, head)) && head->is_fragmented;
    if (!is_found) {
        near->is_patched = far->is_patched = false;
        near->filled = far->filled = 0;
    }
    return is_found;
}

bool recover_read_any(struct recover_search *search, struct weir_movie_found *head)
{
    struct weir_view *near = &search->near, *far = &search->far;
    enum { LOOKED_AT = 8 };
    const uint64_t size = far->source.size;
    bool is_found = false;
    *head = (struct weir_movie_found){.num_tracks = 0};
    for (uint64_t at = 0; at < size && size - at >= LOOKED_AT;) {
        size_t part;
        const uint8_t *bytes = weir_view_stretch(far, at, &part);
        for (size_t i = 0; bytes && i + LOOKED_AT <= part; i++) {
            struct weir_box box;
            struct weir_movie_found candidate;
            if (memcmp(bytes + i + 4, "moov", 4) != 0 || !weir_box_read(near, at + i, size, &box) ||
                box.end > size) {
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
