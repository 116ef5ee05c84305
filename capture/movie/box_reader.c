// SPDX-License-Identifier: MIT
// Boxes of a QuickTime movie, read from a file that may be damaged.
#include "capture/movie/box_reader.h"

bool weir_box_read(struct weir_view *view, uint64_t at, uint64_t limit, struct weir_box *box)
{
    const uint8_t *head = at < limit && limit - at >= 8 ? weir_view_at(view, at, 8) : NULL;
    if (!head) {
        return false;
    }
    uint64_t size = weir_boxes_read_u32(head), head_size = 8;
    const uint32_t type = weir_boxes_read_u32(head + 4);
    if (size == 0) {
        size = limit - at;
    } else if (size == 1) {
        head_size = 16;
        head = limit - at >= 16 ? weir_view_at(view, at, 16) : NULL;
        size = head ? weir_boxes_read_u64(head + 8) : 0;
    }
    if (size < head_size || size > UINT64_MAX - at) {
        return false;
    }
    *box = (struct weir_box){
        .type = type, .begin = at, .payload = at + head_size, .end = at + size};
    return true;
}

bool weir_box_find(struct weir_view *view, uint64_t at, uint64_t limit, uint32_t type,
                   struct weir_box *box)
{
    while (weir_box_read(view, at, limit, box) && box->end <= limit) {
        if (box->type == type) {
            return true;
        }
        at = box->end;
    }
    return false;
}

bool weir_box_find_in(struct weir_view *view, const struct weir_box *parent, uint32_t type,
                      struct weir_box *box)
{
    return weir_box_find(view, parent->payload, parent->end, type, box);
}

const uint8_t *weir_box_open(struct weir_view *view, const struct weir_box *parent, uint32_t type,
                             size_t size, struct weir_box *box)
{
    return weir_box_find_in(view, parent, type, box) && box->end - box->payload >= size
               ? weir_view_at(view, box->payload, size)
               : NULL;
}

const uint8_t *weir_box_open_description(struct weir_view *view, const struct weir_box *stbl,
                                         size_t size, struct weir_box *entry)
{
    struct weir_box stsd;
    return weir_box_find_in(view, stbl, WEIR_BOX('s', 't', 's', 'd'), &stsd) &&
                   stsd.end - stsd.payload >= 8 &&
                   weir_box_read(view, stsd.payload + 8, stsd.end, entry) &&
                   entry->end <= stsd.end && entry->end - entry->begin >= size
               ? weir_view_at(view, entry->begin, size)
               : NULL;
}
