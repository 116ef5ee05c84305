// SPDX-License-Identifier: MIT
// Frames without their fragments: which bytes are one, and which only look like it.
#include "capture/weir/recover/alone.h"

#include <string.h>

#include "capture/movie/box_reader.h"
#include "capture/movie/fragment_reader.h"
#include "capture/movie/hap_reader.h"

#define BOX_HEADER 8

// What every fragment of Weir's begins with.
static const uint8_t moof[BOX_HEADER] = {0,   0,   0,   WEIR_FRAGMENT_HEADER_SIZE - 8,
                                         'm', 'o', 'o', 'f'};

// True if the frame is one stored texture.
static bool is_plain(struct recover_walk *walk, uint64_t at, uint64_t end)
{
    struct weir_hap_frame frame;
    return weir_hap_frame_read(walk->near, at, end, &frame) && frame.num_textures == 1 &&
           (frame.type & 0xf0) == WEIR_HAP_NONE;
}

// True if the header of a fragment stands in these bytes.
static bool has_fragment(struct recover_walk *walk, uint64_t at, uint64_t end)
{
    const size_t room = walk->near->room;
    while (end - at >= sizeof(moof)) {
        const size_t part = end - at < room ? (size_t)(end - at) : room;
        const uint8_t *bytes = weir_view_at(walk->near, at, part);
        for (size_t i = 0; bytes && i + sizeof(moof) <= part; i++) {
            if (memcmp(bytes + i, moof, sizeof(moof)) == 0) {
                return true;
            }
        }
        at += part - sizeof(moof) + 1;
    }
    return false;
}

// True if the head of an mdat box of the frame's size stands before it.
static bool is_in_mdat(struct recover_walk *walk, uint64_t at, uint64_t end)
{
    struct weir_box box;
    return at >= BOX_HEADER &&
           weir_box_read(walk->near, at - BOX_HEADER, walk->near->source.size, &box) &&
           box.type == WEIR_BOX('m', 'd', 'a', 't') && box.payload == at && box.end == end;
}

// True if a fragment begins at `at`, and one is missing between it and the last one that holds what
// its head says.
static bool is_before_fragment(struct recover_walk *walk, uint64_t at)
{
    struct weir_fragment_found found;
    const enum weir_fragment_kind kind = weir_fragment_read(walk->near, at, &found);
    return (kind == WEIR_FRAGMENT_FRAME || kind == WEIR_FRAGMENT_AUDIO) &&
           found.fragment.number - walk->last_filled > 1;
}

// True if the file ends at `at`, if need be in a fragment, or if a fragment, padding or the index
// begins there.
static bool is_before_box(struct recover_walk *walk, uint64_t at)
{
    const uint64_t size = walk->near->source.size;
    if (size - at < BOX_HEADER) {
        const size_t left = (size_t)(size - at);
        const uint8_t *rest = left > 0 ? weir_view_at(walk->near, at, left) : NULL;
        return left == 0 || (rest && memcmp(rest, moof, left) == 0);
    }
    struct weir_box box;
    return weir_box_read(walk->near, at, size, &box) &&
           (box.type == WEIR_BOX('m', 'o', 'o', 'f') || box.type == WEIR_BOX('f', 'r', 'e', 'e') ||
            box.type == WEIR_BOX('m', 'o', 'o', 'v'));
}

// True if what stands around the bytes is what stands around a frame.
static bool has_place(struct recover_walk *walk, uint64_t at, uint64_t end)
{
    bool is_place;
    if (at < walk->claimed_end) {
        // A frame begins in another fragment only where a part of that was lost, and behind it.
        is_place = is_in_mdat(walk, at, end) || is_before_fragment(walk, end);
    } else {
        is_place = !walk->has_sound || is_in_mdat(walk, at, end) || is_before_box(walk, end);
    }
    return is_place && !has_fragment(walk, at, end);
}

bool recover_alone_read(struct recover_walk *walk, uint64_t at, uint64_t *end)
{
    const uint64_t size = walk->near->source.size;
    return recover_check(walk->near, &walk->kind, at, size, RECOVER_HEADERS, end) &&
           *end - at <= RECOVER_MAX_FRAME &&
           (!is_plain(walk, at, *end) || has_place(walk, at, *end)) &&
           recover_check(walk->near, &walk->kind, at, size, RECOVER_WHOLE, end);
}
