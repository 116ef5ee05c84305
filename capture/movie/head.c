// SPDX-License-Identifier: MIT
// The head of a fragmented movie, made anew where the one of the file is lost: the boxes that
// libavformat writes, with the same values.
//
// Source: QuickTime File Format Specification (Apple); ISO/IEC 14496-12.
#include "capture/movie/head.h"

#include "capture/movie/codec.h"
#include "capture/movie/track_boxes.h"

#define MOVIE_SCALE 1000          // ticks a second of mvhd
#define DOTS_PER_INCH 0x00480000u // 72

static void write_mvhd(struct weir_boxes *boxes)
{
    const size_t mvhd = weir_boxes_begin(boxes, WEIR_BOX('m', 'v', 'h', 'd'));
    weir_boxes_zeros(boxes, 3);
    weir_boxes_u32(boxes, MOVIE_SCALE);
    weir_boxes_u32(boxes, 0);
    weir_boxes_u32(boxes, 0x10000); // speed 1
    weir_boxes_u16(boxes, 0x100);   // volume 1
    weir_boxes_u16(boxes, 0);
    weir_boxes_zeros(boxes, 2);
    weir_boxes_matrix(boxes);
    weir_boxes_zeros(boxes, 6);
    weir_boxes_u32(boxes, 2); // the next track
    weir_boxes_end(boxes, mvhd);
}

static void write_pasp(struct weir_boxes *boxes, const struct weir_track *track)
{
    if (track->pixel_aspect_num != 0) {
        weir_boxes_numbers(boxes, WEIR_BOX('p', 'a', 's', 'p'), track->pixel_aspect_num,
                           track->pixel_aspect_den);
    }
}

static void write_colr(struct weir_boxes *boxes, const struct weir_track *track)
{
    if (track->color_primaries == 0) {
        return;
    }
    const size_t colr = weir_boxes_begin(boxes, WEIR_BOX('c', 'o', 'l', 'r'));
    weir_boxes_u32(boxes, WEIR_BOX('n', 'c', 'l', 'c'));
    weir_boxes_u16(boxes, track->color_primaries);
    weir_boxes_u16(boxes, track->color_transfer);
    weir_boxes_u16(boxes, track->color_matrix);
    weir_boxes_end(boxes, colr);
}

static void write_stsd(struct weir_boxes *boxes, const struct weir_track *track)
{
    const struct weir_movie_codec_info *codec = weir_hap_codec_of_tag(track->tag);
    const size_t stsd = weir_boxes_begin_full(boxes, WEIR_BOX('s', 't', 's', 'd'));
    weir_boxes_u32(boxes, 1);
    const size_t entry = weir_boxes_begin(boxes, track->tag);
    weir_boxes_u32(boxes, 0);
    weir_boxes_u32(boxes, 1); // the data reference
    weir_boxes_zeros(boxes, 4);
    weir_boxes_u16(boxes, track->width);
    weir_boxes_u16(boxes, track->height);
    weir_boxes_u32(boxes, DOTS_PER_INCH);
    weir_boxes_u32(boxes, DOTS_PER_INCH);
    weir_boxes_u32(boxes, 0);
    weir_boxes_u16(boxes, 1); // frames a sample
    weir_boxes_zeros(boxes, 8);
    weir_boxes_u16(boxes, codec ? codec->bits_per_coded_sample : 24);
    weir_boxes_u16(boxes, 0xffff); // no table of colours
    write_colr(boxes, track);
    write_pasp(boxes, track);
    weir_boxes_end(boxes, entry);
    weir_boxes_end(boxes, stsd);
}

void weir_head_write_tables(struct weir_boxes *boxes)
{
    weir_boxes_numbers(boxes, WEIR_BOX('s', 't', 't', 's'), 0, 0);
    weir_boxes_numbers(boxes, WEIR_BOX('s', 't', 's', 'c'), 0, 0);
    weir_boxes_numbers(boxes, WEIR_BOX('s', 't', 's', 'z'), 0, 0, 0);
    weir_boxes_numbers(boxes, WEIR_BOX('s', 't', 'c', 'o'), 0, 0);
}

static void write_minf(struct weir_boxes *boxes, const struct weir_track *track)
{
    const size_t minf = weir_boxes_begin(boxes, WEIR_BOX('m', 'i', 'n', 'f'));
    const size_t vmhd = weir_boxes_begin(boxes, WEIR_BOX('v', 'm', 'h', 'd'));
    weir_boxes_u32(boxes, 1);
    weir_boxes_u16(boxes, track->graphics_mode);
    weir_boxes_u16(boxes, 0);
    weir_boxes_zeros(boxes, 1);
    weir_boxes_end(boxes, vmhd);
    weir_boxes_data_in_file(boxes);
    const size_t stbl = weir_boxes_begin(boxes, WEIR_BOX('s', 't', 'b', 'l'));
    write_stsd(boxes, track);
    weir_head_write_tables(boxes);
    weir_boxes_end(boxes, stbl);
    weir_boxes_end(boxes, minf);
}

void weir_head_write_mvex(struct weir_boxes *boxes, uint32_t num_tracks)
{
    const size_t mvex = weir_boxes_begin(boxes, WEIR_BOX('m', 'v', 'e', 'x'));
    for (uint32_t i = 0; i < num_tracks; i++) {
        weir_boxes_trex(boxes, 1 + i);
    }
    weir_boxes_end(boxes, mvex);
}

void weir_head_write_ftyp(struct weir_boxes *boxes)
{
    weir_boxes_numbers(boxes, WEIR_BOX('f', 't', 'y', 'p'), WEIR_BOX('q', 't', ' ', ' '), 0x200,
                       WEIR_BOX('q', 't', ' ', ' '));
}

size_t weir_head_write(const struct weir_track *track, uint8_t bytes[WEIR_HEAD_ROOM])
{
    struct weir_boxes boxes = {.bytes = bytes, .room = WEIR_HEAD_ROOM};
    weir_head_write_ftyp(&boxes);
    const size_t moov = weir_boxes_begin(&boxes, WEIR_BOX('m', 'o', 'o', 'v'));
    write_mvhd(&boxes);
    const size_t trak = weir_boxes_begin(&boxes, WEIR_BOX('t', 'r', 'a', 'k'));
    weir_boxes_tkhd(&boxes, 1, 0, track->width, track->height);
    const size_t mdia = weir_boxes_begin(&boxes, WEIR_BOX('m', 'd', 'i', 'a'));
    weir_boxes_mdhd(&boxes, track->ticks_per_second, 0);
    weir_boxes_hdlr(&boxes, WEIR_BOX('m', 'h', 'l', 'r'), WEIR_BOX('v', 'i', 'd', 'e'),
                    "VideoHandler");
    write_minf(&boxes, track);
    weir_boxes_end(&boxes, mdia);
    weir_boxes_end(&boxes, trak);
    weir_head_write_mvex(&boxes, 1);
    weir_boxes_end(&boxes, moov);
    return boxes.size;
}
