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

bool recover_read_grown(struct recover_search *search, struct weir_movie_found *head,
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
    return (!*is_restored || restore(view, &box)) && box.type == WEIR_BOX("moov") &&
           box.end <= size && box.end <= search->far.room &&
           is_head(weir_movie_read_moov(view, &box, head)) && head->is_fragmented;
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
