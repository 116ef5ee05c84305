// SPDX-License-Identifier: MIT
// The track of a time code, put into the head of a fragmented movie.
//
// Source: QuickTime File Format Specification (Apple), "Timecode Media"; MoviesFormat.h of
// QuickTime for the two bytes behind the size of the text (TCTextOptions).
#include "capture/movie/timecode_track.h"

#include "capture/movie/track_boxes.h"

#define FLAG_24_HOURS 2u // after 23:59:59 comes 00:00:00
#define DITHER_COPY 0x40
#define TEXT_SIZE 12

// How the time code is shown by a player that does so.
static void write_gmhd(struct weir_boxes *boxes)
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

static void write_stsd(struct weir_boxes *boxes, const struct weir_timecode *timecode,
                       const struct weir_timecode_head *head)
{
    const size_t stsd = weir_boxes_begin_full(boxes, WEIR_BOX('s', 't', 's', 'd'));
    weir_boxes_u32(boxes, 1);
    const size_t entry = weir_boxes_begin(boxes, WEIR_BOX('t', 'm', 'c', 'd'));
    weir_boxes_u32(boxes, 0);
    weir_boxes_u32(boxes, 1); // the data reference
    weir_boxes_u32(boxes, 0);
    weir_boxes_u32(boxes, FLAG_24_HOURS | (timecode->is_drop ? WEIR_TIMECODE_DROP_FRAME : 0));
    weir_boxes_u32(boxes, head->rate_num);
    weir_boxes_u32(boxes, head->rate_den);
    weir_boxes_u16(boxes, timecode->frames_per_second << 8);
    weir_boxes_end(boxes, entry);
    weir_boxes_end(boxes, stsd);
}

// Write the tables of the one sample. Returns the place of its offset in the file, to be filled in.
static size_t write_tables(struct weir_boxes *boxes, uint32_t duration)
{
    weir_boxes_numbers(boxes, WEIR_BOX('s', 't', 't', 's'), 0, 1, 1, duration);
    weir_boxes_numbers(boxes, WEIR_BOX('s', 't', 's', 'c'), 0, 1, 1, 1, 1);
    weir_boxes_numbers(boxes, WEIR_BOX('s', 't', 's', 'z'), 0, 4, 1);
    weir_boxes_numbers(boxes, WEIR_BOX('s', 't', 'c', 'o'), 0, 1, 0);
    return boxes->size - 4;
}

// Returns the place of the sample's offset.
static size_t write_mdia(struct weir_boxes *boxes, const struct weir_timecode *timecode,
                         const struct weir_timecode_head *head)
{
    const size_t mdia = weir_boxes_begin(boxes, WEIR_BOX('m', 'd', 'i', 'a'));
    weir_boxes_mdhd(boxes, head->ticks_per_second, head->ticks_per_frame);
    weir_boxes_hdlr(boxes, WEIR_BOX('m', 'h', 'l', 'r'), WEIR_BOX('t', 'm', 'c', 'd'),
                    "TimeCodeHandler");
    const size_t minf = weir_boxes_begin(boxes, WEIR_BOX('m', 'i', 'n', 'f'));
    write_gmhd(boxes);
    weir_boxes_data_in_file(boxes);
    const size_t stbl = weir_boxes_begin(boxes, WEIR_BOX('s', 't', 'b', 'l'));
    write_stsd(boxes, timecode, head);
    const size_t offset = write_tables(boxes, head->ticks_per_frame);
    weir_boxes_end(boxes, stbl);
    weir_boxes_end(boxes, minf);
    weir_boxes_end(boxes, mdia);
    return offset;
}

static void write_trak(struct weir_boxes *boxes, const struct weir_timecode *timecode,
                       const struct weir_timecode_head *head)
{
    const size_t trak = weir_boxes_begin(boxes, WEIR_BOX('t', 'r', 'a', 'k'));
    weir_boxes_tkhd(boxes, head->num_tracks + 1, 0, 0, 0);
    const size_t offset = write_mdia(boxes, timecode, head);
    const size_t data = weir_boxes_begin(boxes, WEIR_BOX('f', 'r', 'e', 'e'));
    if (!boxes->overflow) {
        struct weir_boxes place = {.bytes = boxes->bytes + offset, .room = 4};
        weir_boxes_u32(&place, (uint32_t)boxes->size);
    }
    weir_boxes_u32(boxes, timecode->start);
    weir_boxes_end(boxes, data);
    weir_boxes_end(boxes, trak);
}

// Copy a box whose payload gets something appended. Returns where it begins, for weir_boxes_end().
static size_t copy_open(struct weir_boxes *boxes, const uint8_t *box, uint32_t size)
{
    const size_t begin = weir_boxes_begin(boxes, weir_boxes_read_u32(box + 4));
    weir_boxes_copy(boxes, box + 8, size - 8);
    return begin;
}

// The pictures refer to their time code.
static void copy_pictures(struct weir_boxes *boxes, const uint8_t *trak, uint32_t size,
                          uint32_t number)
{
    const size_t begin = copy_open(boxes, trak, size);
    const size_t tref = weir_boxes_begin(boxes, WEIR_BOX('t', 'r', 'e', 'f'));
    weir_boxes_numbers(boxes, WEIR_BOX('t', 'm', 'c', 'd'), number);
    weir_boxes_end(boxes, tref);
    weir_boxes_end(boxes, begin);
}

// mvex says what fragments of each track leave out.
static void copy_mvex(struct weir_boxes *boxes, const uint8_t *mvex, uint32_t size, uint32_t number)
{
    const size_t begin = copy_open(boxes, mvex, size);
    weir_boxes_trex(boxes, number);
    weir_boxes_end(boxes, begin);
}

void weir_timecode_track_insert(const struct weir_timecode *timecode,
                                const struct weir_timecode_head *head, struct weir_boxes *boxes)
{
    const uint8_t *at = head->bytes + head->moov + 8, *end = head->bytes + head->size;
    const uint32_t number = head->num_tracks + 1;
    uint32_t num_tracks = 0;
    weir_boxes_copy(boxes, head->bytes, head->moov);
    const size_t moov = weir_boxes_begin(boxes, WEIR_BOX('m', 'o', 'o', 'v'));
    for (uint32_t size; end - at >= 8; at += size) {
        size = weir_boxes_read_u32(at);
        const uint32_t type = weir_boxes_read_u32(at + 4);
        if (size < 8 || size > (size_t)(end - at)) {
            boxes->overflow = true; // libavformat does not write this
            return;
        }
        if (type == WEIR_BOX('t', 'r', 'a', 'k') && num_tracks++ == 0) {
            copy_pictures(boxes, at, size, number);
        } else if (type == WEIR_BOX('m', 'v', 'e', 'x')) {
            write_trak(boxes, timecode, head);
            copy_mvex(boxes, at, size, number);
        } else if (type == WEIR_BOX('m', 'v', 'h', 'd') && size > 12) {
            weir_boxes_copy(boxes, at, size - 4);
            weir_boxes_u32(boxes, number + 1); // of the next track
        } else {
            weir_boxes_copy(boxes, at, size);
        }
    }
    weir_boxes_end(boxes, moov);
    boxes->overflow = boxes->overflow || num_tracks != head->num_tracks;
}
