// SPDX-License-Identifier: MIT
// Boxes that tracks of all kinds have.
#include "capture/movie/track_boxes.h"

#include <string.h>

#include "capture/movie/movie.h"

#define ENABLED_IN_MOVIE 3

void weir_boxes_u16(struct weir_boxes *boxes, uint32_t value)
{
    const uint8_t bytes[] = {(uint8_t)(value >> 8), (uint8_t)value};
    weir_boxes_copy(boxes, bytes, sizeof(bytes));
}

void weir_boxes_zeros(struct weir_boxes *boxes, uint32_t num_words)
{
    for (uint32_t i = 0; i < num_words; i++) {
        weir_boxes_u32(boxes, 0);
    }
}

void weir_boxes_matrix(struct weir_boxes *boxes)
{
    static const uint32_t matrix[] = {0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000};
    for (int i = 0; i < 9; i++) {
        weir_boxes_u32(boxes, matrix[i]);
    }
}

void weir_boxes_tkhd(struct weir_boxes *boxes, uint32_t track, uint32_t duration, uint32_t width,
                     uint32_t height)
{
    const size_t tkhd = weir_boxes_begin(boxes, WEIR_BOX('t', 'k', 'h', 'd'));
    weir_boxes_u32(boxes, ENABLED_IN_MOVIE);
    weir_boxes_zeros(boxes, 2);
    weir_boxes_u32(boxes, track);
    weir_boxes_u32(boxes, 0);
    weir_boxes_u32(boxes, duration);
    weir_boxes_zeros(boxes, 4);
    weir_boxes_matrix(boxes);
    weir_boxes_u32(boxes, width << 16);
    weir_boxes_u32(boxes, height << 16);
    weir_boxes_end(boxes, tkhd);
}

void weir_boxes_mdhd(struct weir_boxes *boxes, uint32_t ticks_per_second, uint32_t duration)
{
    const size_t mdhd = weir_boxes_begin(boxes, WEIR_BOX('m', 'd', 'h', 'd'));
    weir_boxes_zeros(boxes, 3);
    weir_boxes_u32(boxes, ticks_per_second);
    weir_boxes_u32(boxes, duration);
    weir_boxes_u16(boxes, WEIR_LANGUAGE_UNKNOWN);
    weir_boxes_u16(boxes, 0);
    weir_boxes_end(boxes, mdhd);
}

void weir_boxes_trex(struct weir_boxes *boxes, uint32_t track)
{
    // The first sample description, and no defaults.
    weir_boxes_numbers(boxes, WEIR_BOX('t', 'r', 'e', 'x'), 0, track, 1, 0, 0, 0);
}

void weir_boxes_hdlr(struct weir_boxes *boxes, uint32_t type, uint32_t subtype, const char *name)
{
    const uint8_t length = (uint8_t)strlen(name);
    const size_t hdlr = weir_boxes_begin_full(boxes, WEIR_BOX('h', 'd', 'l', 'r'));
    weir_boxes_u32(boxes, type);
    weir_boxes_u32(boxes, subtype);
    weir_boxes_zeros(boxes, 3);
    weir_boxes_copy(boxes, &length, 1);
    weir_boxes_copy(boxes, (const uint8_t *)name, length);
    weir_boxes_end(boxes, hdlr);
}

void weir_boxes_data_in_file(struct weir_boxes *boxes)
{
    weir_boxes_hdlr(boxes, WEIR_BOX('d', 'h', 'l', 'r'), WEIR_BOX('u', 'r', 'l', ' '),
                    "DataHandler");
    const size_t dinf = weir_boxes_begin(boxes, WEIR_BOX('d', 'i', 'n', 'f'));
    const size_t dref = weir_boxes_begin_full(boxes, WEIR_BOX('d', 'r', 'e', 'f'));
    weir_boxes_u32(boxes, 1);
    weir_boxes_numbers(boxes, WEIR_BOX('u', 'r', 'l', ' '), 1);
    weir_boxes_end(boxes, dref);
    weir_boxes_end(boxes, dinf);
}
