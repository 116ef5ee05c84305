// SPDX-License-Identifier: MIT
// The track of a time code: boxes that are its own.
//
// Source: QuickTime File Format Specification (Apple), "Timecode Media"; MoviesFormat.h of
// QuickTime for the two bytes behind the size of the text (TCTextOptions).
#include "capture/movie/timecode_track.h"

#include "capture/movie/head.h"

#define FLAG_24_HOURS 2u // after 23:59:59 comes 00:00:00
#define DITHER_COPY 0x40
#define TEXT_SIZE 12

// How the time code is shown by a player that does so.
void weir_timecode_write_header(struct weir_boxes *boxes)
{
    static const char font[] = "\x0dLucida Grande";
    const size_t gmhd = weir_boxes_begin(boxes, WEIR_BOX('g', 'm', 'h', 'd'));
    const size_t gmin = weir_boxes_begin_full(boxes, WEIR_BOX('g', 'm', 'i', 'n'));
    weir_boxes_u16(boxes, DITHER_COPY);
    for (int i = 0; i < 3; i++) {
        weir_boxes_u16(boxes, 0x8000); // the colour of the operation: grey
    }
    weir_boxes_u32(boxes, 0); // balance
    weir_boxes_end(boxes, gmin);
    const size_t tmcd = weir_boxes_begin(boxes, WEIR_BOX('t', 'm', 'c', 'd'));
    const size_t tcmi = weir_boxes_begin(boxes, WEIR_BOX('t', 'c', 'm', 'i'));
    weir_boxes_zeros(boxes, 2); // the font by number, and its face
    weir_boxes_u16(boxes, TEXT_SIZE);
    weir_boxes_u16(boxes, 0);
    for (int i = 0; i < 3; i++) {
        weir_boxes_u16(boxes, 0); // black
    }
    for (int i = 0; i < 3; i++) {
        weir_boxes_u16(boxes, 0xffff); // on white
    }
    weir_boxes_copy(boxes, (const uint8_t *)font, sizeof(font) - 1);
    weir_boxes_end(boxes, tcmi);
    weir_boxes_end(boxes, tmcd);
    weir_boxes_end(boxes, gmhd);
}

void weir_timecode_write_description(struct weir_boxes *boxes,
                                     const struct weir_timecode_track *track)
{
    const size_t stsd = weir_boxes_begin_full(boxes, WEIR_BOX('s', 't', 's', 'd'));
    weir_boxes_u32(boxes, 1);
    const size_t entry = weir_boxes_begin(boxes, WEIR_BOX('t', 'm', 'c', 'd'));
    weir_boxes_u32(boxes, 0);
    weir_boxes_u32(boxes, 1); // the data reference
    weir_boxes_u32(boxes, 0);
    weir_boxes_u32(boxes, FLAG_24_HOURS | (track->first.is_drop ? WEIR_TIMECODE_DROP_FRAME : 0));
    weir_boxes_u32(boxes, track->rate_num);
    weir_boxes_u32(boxes, track->rate_den);
    weir_boxes_u16(boxes, track->first.frames_per_second << 8);
    weir_boxes_end(boxes, entry);
    weir_boxes_end(boxes, stsd);
}

static void write_stts(struct weir_boxes *boxes, uint64_t duration)
{
    // 32 bits are 13 hours at 90 kHz.
    weir_boxes_numbers(boxes, WEIR_BOX('s', 't', 't', 's'), 0, 1, 1,
                       duration < UINT32_MAX ? (uint32_t)duration : UINT32_MAX);
}

// The table of times comes last in a plain movie.
size_t weir_timecode_write_tables(struct weir_boxes *boxes, uint64_t duration, bool is_plain)
{
    if (!is_plain) {
        write_stts(boxes, duration);
    }
    weir_boxes_numbers(boxes, WEIR_BOX('s', 't', 's', 'c'), 0, 1, 1, 1, 1);
    weir_boxes_numbers(boxes, WEIR_BOX('s', 't', 's', 'z'), 0, 4, 1);
    weir_boxes_numbers(boxes, WEIR_BOX('s', 't', 'c', 'o'), 0, 1, 0);
    const size_t offset = boxes->size - 4;
    if (is_plain) {
        write_stts(boxes, duration);
    }
    return offset;
}
