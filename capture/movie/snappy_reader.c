// SPDX-License-Identifier: MIT
// Snappy's format, read without decompressing: how long the data is, and if it is whole.
#include "capture/movie/snappy_reader.h"

uint32_t weir_snappy_read_length(struct weir_view *view, uint64_t at, uint64_t size,
                                 uint32_t *length)
{
    uint64_t value = 0;
    for (uint32_t i = 0; i < 5 && i < size; i++) {
        const uint8_t *byte = weir_view_at(view, at + i, 1);
        if (!byte) {
            return 0;
        }
        value |= (uint64_t)(*byte & 0x7f) << (7 * i);
        if (*byte < 0x80) {
            *length = (uint32_t)value;
            return value <= UINT32_MAX ? i + 1 : 0;
        }
    }
    return 0;
}

// An element: a literal, whose bytes follow, or a copy of what came before.
struct element {
    uint32_t size; // of its tag [bytes]
    uint64_t length;
    uint32_t offset; // of a copy: how far back it begins
};

static uint32_t read_le(const uint8_t *bytes, uint32_t size)
{
    uint32_t value = 0;
    for (uint32_t i = 0; i < size; i++) {
        value |= (uint32_t)bytes[i] << (8 * i);
    }
    return value;
}

static uint32_t tag_size(uint8_t tag)
{
    static const uint8_t copy_sizes[] = {0, 2, 3, 5};
    const uint32_t literal = tag >> 2;
    if ((tag & 3) != 0) {
        return copy_sizes[tag & 3];
    }
    return literal < 60 ? 1 : literal - 58;
}

static struct element read_element(const uint8_t *tag)
{
    struct element element = {.size = tag_size(tag[0])};
    if ((tag[0] & 3) == 0) {
        element.length = 1 + (uint64_t)(element.size > 1 ? read_le(tag + 1, element.size - 1)
                                                         : tag[0] >> 2);
    } else if ((tag[0] & 3) == 1) {
        element.length = 4 + (tag[0] >> 2 & 7);
        element.offset = (uint32_t)(tag[0] >> 5) << 8 | tag[1];
    } else {
        element.length = 1 + (tag[0] >> 2);
        element.offset = read_le(tag + 1, element.size - 1);
    }
    return element;
}

bool weir_snappy_is_whole(struct weir_view *view, uint64_t at, uint64_t size)
{
    uint32_t length;
    const uint64_t end = at + size;
    const uint32_t prefix = weir_snappy_read_length(view, at, size, &length);
    if (prefix == 0) {
        return false;
    }
    uint64_t written = 0;
    at += prefix;
    while (at < end) {
        const uint8_t *tag = weir_view_at(view, at, 1);
        const uint32_t wanted = tag ? tag_size(tag[0]) : 0;
        if (!tag || wanted > end - at || !(tag = weir_view_at(view, at, wanted))) {
            return false;
        }
        const bool is_literal = (tag[0] & 3) == 0;
        const struct element element = read_element(tag);
        at += element.size;
        if (element.length > length - written ||
            (is_literal ? element.length > end - at
                        : element.offset == 0 || element.offset > written)) {
            return false;
        }
        at += is_literal ? element.length : 0;
        written += element.length;
    }
    return written == length;
}
