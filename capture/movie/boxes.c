// SPDX-License-Identifier: MIT
// Boxes of a QuickTime movie, and the view that they are read by.
//
// Source: QuickTime File Format Specification (Apple); ISO/IEC 14496-12.
#include "capture/movie/boxes.h"

#include <stdlib.h>
#include <string.h>

// What a disk cannot read is a multiple of this, mostly [bytes].
#define DAMAGED_BLOCK 4096u

// What a call costs, and what a search may cost for each byte of the file, and some more [bytes].
#define CALL_WORK 16u
#define MOST_WORK 32u
#define SOME_MORE (1u << 20)

bool weir_view_init(struct weir_view *view, const struct weir_view_source *source, size_t room)
{
    *view = (struct weir_view){.source = *source, .room = room};
    view->window = malloc(room);
    return view->window;
}

void weir_view_finish(struct weir_view *view)
{
    free(view->window);
    view->window = NULL;
}

static bool fill(struct weir_view *view, uint64_t offset, size_t size)
{
    view->filled = 0;
    if (!view->source.read(view->source.user, offset, view->window, size)) {
        return false;
    }
    view->begin = offset;
    view->filled = size;
    view->work += size;
    return true;
}

const uint8_t *weir_view_at(struct weir_view *view, uint64_t offset, size_t size)
{
    const uint64_t end = view->source.size;
    view->work += CALL_WORK;
    if (size > view->room || offset > end || size > end - offset) {
        return NULL;
    }
    const bool is_there = offset >= view->begin && offset - view->begin <= view->filled &&
                          size <= view->filled - (offset - view->begin);
    if (!is_there) {
        const size_t most = end - offset < view->room ? (size_t)(end - offset) : view->room;
        // Where the window touches a damaged part of the disk, less may still be read.
        if (!fill(view, offset, most) && !fill(view, offset, size)) {
            view->failed = true;
            return NULL;
        }
    }
    return view->window + (offset - view->begin);
}

bool weir_view_affords(const struct weir_view *view, uint64_t at)
{
    return view->work / MOST_WORK <= at + SOME_MORE;
}

const uint8_t *weir_view_stretch(struct weir_view *view, uint64_t offset, size_t *size)
{
    const uint64_t left = view->source.size - offset;
    *size = left < view->room ? (size_t)left : view->room;
    const uint8_t *bytes = weir_view_at(view, offset, *size);
    const uint64_t block = DAMAGED_BLOCK - offset % DAMAGED_BLOCK;
    if (!bytes && view->source.has_ended && view->source.has_ended(view->source.user)) {
        *size = (size_t)left;
    } else if (!bytes && *size > block) {
        *size = (size_t)block;
        bytes = weir_view_at(view, offset, *size);
    }
    return bytes;
}

static void write_u32(uint8_t *bytes, uint32_t value)
{
    for (int i = 0; i < 4; i++) {
        bytes[i] = (uint8_t)(value >> (24 - 8 * i));
    }
}

void weir_boxes_copy(struct weir_boxes *boxes, const uint8_t *bytes, size_t size)
{
    if (size > boxes->room - boxes->size) {
        boxes->overflow = true;
        return;
    }
    memcpy(boxes->bytes + boxes->size, bytes, size);
    boxes->size += size;
}

void weir_boxes_u16(struct weir_boxes *boxes, uint32_t value)
{
    const uint8_t bytes[] = {(uint8_t)(value >> 8), (uint8_t)value};
    weir_boxes_copy(boxes, bytes, sizeof(bytes));
}

void weir_boxes_u32(struct weir_boxes *boxes, uint32_t value)
{
    uint8_t bytes[4];
    write_u32(bytes, value);
    weir_boxes_copy(boxes, bytes, sizeof(bytes));
}

void weir_boxes_u64(struct weir_boxes *boxes, uint64_t value)
{
    weir_boxes_u32(boxes, (uint32_t)(value >> 32));
    weir_boxes_u32(boxes, (uint32_t)value);
}

void weir_boxes_zeros(struct weir_boxes *boxes, uint32_t num_words)
{
    for (uint32_t i = 0; i < num_words; i++) {
        weir_boxes_u32(boxes, 0);
    }
}

void weir_boxes_set_u32(struct weir_boxes *boxes, size_t at, uint32_t value)
{
    if (!boxes->overflow) {
        write_u32(boxes->bytes + at, value);
    }
}

size_t weir_boxes_begin(struct weir_boxes *boxes, const char *type)
{
    const size_t begin = boxes->size;
    weir_boxes_u32(boxes, 0);
    weir_boxes_copy(boxes, (const uint8_t *)type, 4);
    return begin;
}

void weir_boxes_end(struct weir_boxes *boxes, size_t begin)
{
    weir_boxes_set_u32(boxes, begin, (uint32_t)(boxes->size - begin));
}

size_t weir_boxes_begin_full(struct weir_boxes *boxes, const char *type)
{
    const size_t begin = weir_boxes_begin(boxes, type);
    weir_boxes_u32(boxes, 0);
    return begin;
}

void weir_boxes_append(struct weir_boxes *boxes, const char *type, const uint32_t *numbers,
                       size_t num)
{
    const size_t begin = weir_boxes_begin(boxes, type);
    for (size_t i = 0; i < num; i++) {
        weir_boxes_u32(boxes, numbers[i]);
    }
    weir_boxes_end(boxes, begin);
}

uint16_t weir_boxes_read_u16(const uint8_t *bytes)
{
    return (uint16_t)(bytes[0] << 8 | bytes[1]);
}

uint32_t weir_boxes_read_u32(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

uint64_t weir_boxes_read_u64(const uint8_t *bytes)
{
    return (uint64_t)weir_boxes_read_u32(bytes) << 32 | weir_boxes_read_u32(bytes + 4);
}

uint32_t weir_boxes_padding(uint64_t offset, uint32_t block)
{
    const uint32_t size = (uint32_t)(-offset % block);
    return size == 0 || size >= 8 ? size : size + block;
}

bool weir_box_is(uint32_t type, const char *types)
{
    for (; strlen(types) >= 4; types += types[4] ? 5 : 4) {
        if (type == WEIR_BOX(types)) {
            return true;
        }
    }
    return false;
}

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

bool weir_box_find(struct weir_view *view, uint64_t at, uint64_t limit, const char *type,
                   struct weir_box *box)
{
    while (weir_box_read(view, at, limit, box) && box->end <= limit) {
        if (box->type == WEIR_BOX(type)) {
            return true;
        }
        at = box->end;
    }
    return false;
}

bool weir_box_find_in(struct weir_view *view, const struct weir_box *parent, const char *type,
                      struct weir_box *box)
{
    return weir_box_find(view, parent->payload, parent->end, type, box);
}

const uint8_t *weir_box_open(struct weir_view *view, const struct weir_box *parent,
                             const char *type, size_t size, struct weir_box *box)
{
    struct weir_box found;
    box = box ? box : &found;
    return weir_box_find_in(view, parent, type, box) && box->end - box->payload >= size
               ? weir_view_at(view, box->payload, size)
               : NULL;
}

const uint8_t *weir_box_open_description(struct weir_view *view, const struct weir_box *stbl,
                                         size_t size, struct weir_box *entry)
{
    struct weir_box stsd;
    return weir_box_find_in(view, stbl, "stsd", &stsd) && stsd.end - stsd.payload >= 8 &&
                   weir_box_read(view, stsd.payload + 8, stsd.end, entry) &&
                   entry->end <= stsd.end && entry->end - entry->begin >= size
               ? weir_view_at(view, entry->begin, size)
               : NULL;
}
