// SPDX-License-Identifier: MIT
// The head of a fragmented movie, made of the moov box of a plain one: all that it says of the
// movie and its tracks, but for times and places.
#include "capture/movie/head_copy.h"

#include "capture/movie/tables.h"

#define MAX_BOX 4096u

// Copy a part of the file. False: it cannot be read.
static bool copy(struct weir_view *view, uint64_t at, uint64_t size, struct weir_boxes *boxes)
{
    const uint8_t *bytes = size <= MAX_BOX ? weir_view_at(view, at, (size_t)size) : NULL;
    if (bytes) {
        weir_boxes_copy(boxes, bytes, (size_t)size);
    }
    return bytes && !boxes->overflow;
}

// Copy a box that has, behind its version and two times, `between` bytes and then a duration, in
// version 0, whose times and duration have 32 bits: weir_index_make_moov() expects it.
static bool copy_without_duration(struct weir_view *view, const struct weir_box *box,
                                  uint32_t between, struct weir_boxes *boxes)
{
    const uint64_t size = box->end - box->payload;
    const uint8_t *bytes = size >= 4 ? weir_view_at(view, box->payload, 4) : NULL;
    if (!bytes) {
        return false;
    }
    const uint32_t flags = weir_boxes_read_u32(bytes) & 0xffffffu;
    const uint32_t time = bytes[0] == 1 ? 8 : 4;
    const uint64_t rest = 4 + (uint64_t)3 * time + between;
    if (size < rest) {
        return false;
    }
    const size_t begin = weir_boxes_begin(boxes, box->type);
    weir_boxes_u32(boxes, flags);
    weir_boxes_u32(boxes, 0); // made and changed at a time that is not known
    weir_boxes_u32(boxes, 0);
    bool is_copied = copy(view, box->payload + 4 + (uint64_t)2 * time, between, boxes);
    weir_boxes_u32(boxes, 0);
    is_copied = is_copied && copy(view, box->payload + rest, size - rest, boxes);
    weir_boxes_end(boxes, begin);
    return is_copied;
}

bool weir_head_copy_mvhd(struct weir_view *view, const struct weir_box *moov,
                         struct weir_boxes *boxes)
{
    struct weir_box mvhd;
    return weir_box_find_in(view, moov, WEIR_BOX('m', 'v', 'h', 'd'), &mvhd) &&
           copy_without_duration(view, &mvhd, 4, boxes);
}

static bool copy_tkhd(struct weir_view *view, const struct weir_box *box, uint32_t number,
                      struct weir_boxes *boxes)
{
    enum { NUMBER = 20 }; // behind the head of the box, its version and its times
    const size_t begin = boxes->size;
    if (!copy_without_duration(view, box, 8, boxes)) {
        return false;
    }
    struct weir_boxes place = {.bytes = boxes->bytes + begin + NUMBER, .room = 4};
    weir_boxes_u32(&place, number);
    return true;
}

// Boxes that the index fills in, or looks for others in, and the one around each. A second one, or
// one elsewhere, is damage: the index would take it for another track, or another table.
static const struct {
    uint32_t type, parent;
} places[] = {
    {WEIR_BOX('m', 'o', 'o', 'v'), 0},
    {WEIR_BOX('m', 'v', 'h', 'd'), WEIR_BOX('m', 'o', 'o', 'v')},
    {WEIR_BOX('t', 'r', 'a', 'k'), WEIR_BOX('m', 'o', 'o', 'v')},
    {WEIR_BOX('t', 'k', 'h', 'd'), WEIR_BOX('t', 'r', 'a', 'k')},
    {WEIR_BOX('m', 'd', 'i', 'a'), WEIR_BOX('t', 'r', 'a', 'k')},
    {WEIR_BOX('m', 'd', 'h', 'd'), WEIR_BOX('m', 'd', 'i', 'a')},
    {WEIR_BOX('m', 'i', 'n', 'f'), WEIR_BOX('m', 'd', 'i', 'a')},
    {WEIR_BOX('s', 't', 'b', 'l'), WEIR_BOX('m', 'i', 'n', 'f')},
};

// `seen` has a bit for each of the places that a box of this parent took before.
static bool is_in_place(uint32_t parent, uint32_t type, uint32_t *seen)
{
    for (uint32_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        if (places[i].type == type) {
            const bool is_first = (*seen >> i & 1) == 0;
            *seen |= 1u << i;
            return is_first && places[i].parent == parent;
        }
    }
    return true;
}

static bool is_container(uint32_t type)
{
    return type == WEIR_BOX('m', 'd', 'i', 'a') || type == WEIR_BOX('m', 'i', 'n', 'f') ||
           type == WEIR_BOX('s', 't', 'b', 'l');
}

// True for what describes a track, and false for what says times and places, or refers to others.
static bool is_kept(uint32_t parent, uint32_t type)
{
    if (parent == WEIR_BOX('s', 't', 'b', 'l')) {
        return type == WEIR_BOX('s', 't', 's', 'd');
    }
    return type != WEIR_BOX('e', 'd', 't', 's') && type != WEIR_BOX('t', 'r', 'e', 'f');
}

// Copy the boxes of a track. The nesting is at most trak, mdia, minf, stbl.
static bool copy_children(struct weir_view *view, const struct weir_box *parent, uint32_t number,
                          struct weir_boxes *boxes)
{
    struct weir_box box;
    bool is_copied = true;
    uint32_t seen = 0;
    for (uint64_t at = parent->payload; is_copied && at < parent->end; at = box.end) {
        if (!weir_box_read(view, at, parent->end, &box) || box.end > parent->end ||
            !is_in_place(parent->type, box.type, &seen)) {
            return false;
        }
        if (box.type == WEIR_BOX('t', 'k', 'h', 'd')) {
            is_copied = copy_tkhd(view, &box, number, boxes);
        } else if (box.type == WEIR_BOX('m', 'd', 'h', 'd')) {
            is_copied = copy_without_duration(view, &box, 4, boxes);
        } else if (is_container(box.type)) {
            const size_t begin = weir_boxes_begin(boxes, box.type);
            is_copied = copy_children(view, &box, number, boxes);
            if (box.type == WEIR_BOX('s', 't', 'b', 'l')) {
                weir_tables_write_empty(boxes, 0);
            }
            weir_boxes_end(boxes, begin);
        } else if (is_kept(parent->type, box.type)) {
            const size_t begin = weir_boxes_begin(boxes, box.type);
            is_copied = copy(view, box.payload, box.end - box.payload, boxes);
            weir_boxes_end(boxes, begin);
        }
    }
    return is_copied && !boxes->overflow;
}

bool weir_head_copy_track(struct weir_view *view, const struct weir_box *trak, uint32_t number,
                          struct weir_boxes *boxes)
{
    const size_t begin = weir_boxes_begin(boxes, trak->type);
    const bool is_copied = copy_children(view, trak, number, boxes);
    weir_boxes_end(boxes, begin);
    return is_copied && boxes->size - begin <= WEIR_HEAD_MAX_TRACK;
}
