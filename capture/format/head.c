// SPDX-License-Identifier: MIT
// The head of a fragmented movie, made anew where the one of the file is lost: the boxes that
// libavformat writes, with the same values.
//
// Source: QuickTime File Format Specification (Apple); ISO/IEC 14496-12.
#include "capture/format/head.h"

#include "capture/format/codec.h"

#define MOVIE_SCALE 1000 // ticks a second of mvhd
#define ENABLED_IN_MOVIE 3
#define LANGUAGE_UNKNOWN 0x7fff
#define DOTS_PER_INCH 0x00480000u // 72

static void write_u16(struct weir_boxes *boxes, uint32_t value)
{
    const uint8_t bytes[] = {(uint8_t)(value >> 8), (uint8_t)value};
    weir_boxes_copy(boxes, bytes, sizeof(bytes));
}

static void write_zeros(struct weir_boxes *boxes, uint32_t num_words)
{
    for (uint32_t i = 0; i < num_words; i++) {
        weir_boxes_u32(boxes, 0);
    }
}

// The picture lies upright and unscaled.
static void write_matrix(struct weir_boxes *boxes)
{
    static const uint32_t matrix[] = {0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000};
    for (int i = 0; i < 9; i++) {
        weir_boxes_u32(boxes, matrix[i]);
    }
}

static void write_mvhd(struct weir_boxes *boxes)
{
    const size_t mvhd = weir_boxes_begin(boxes, WEIR_BOX('m', 'v', 'h', 'd'));
    write_zeros(boxes, 3);
    weir_boxes_u32(boxes, MOVIE_SCALE);
    weir_boxes_u32(boxes, 0);
    weir_boxes_u32(boxes, 0x10000); // speed 1
    write_u16(boxes, 0x100);        // volume 1
    write_u16(boxes, 0);
    write_zeros(boxes, 2);
    write_matrix(boxes);
    write_zeros(boxes, 6);
    weir_boxes_u32(boxes, 2); // the next track
    weir_boxes_end(boxes, mvhd);
}

static void write_tkhd(struct weir_boxes *boxes, const struct weir_track *track)
{
    const size_t tkhd = weir_boxes_begin(boxes, WEIR_BOX('t', 'k', 'h', 'd'));
    weir_boxes_u32(boxes, ENABLED_IN_MOVIE);
    write_zeros(boxes, 2);
    weir_boxes_u32(boxes, 1); // number of the track
    write_zeros(boxes, 6);
    write_matrix(boxes);
    weir_boxes_u32(boxes, track->width << 16);
    weir_boxes_u32(boxes, track->height << 16);
    weir_boxes_end(boxes, tkhd);
}

static void write_mdhd(struct weir_boxes *boxes, const struct weir_track *track)
{
    const size_t mdhd = weir_boxes_begin(boxes, WEIR_BOX('m', 'd', 'h', 'd'));
    write_zeros(boxes, 3);
    weir_boxes_u32(boxes, track->ticks_per_second);
    weir_boxes_u32(boxes, 0);
    write_u16(boxes, LANGUAGE_UNKNOWN);
    write_u16(boxes, 0);
    weir_boxes_end(boxes, mdhd);
}

static void write_hdlr(struct weir_boxes *boxes, uint32_t type, uint32_t subtype, const char *name,
                       uint8_t length)
{
    const size_t hdlr = weir_boxes_begin(boxes, WEIR_BOX('h', 'd', 'l', 'r'));
    weir_boxes_u32(boxes, 0);
    weir_boxes_u32(boxes, type);
    weir_boxes_u32(boxes, subtype);
    write_zeros(boxes, 3);
    weir_boxes_copy(boxes, &length, 1);
    weir_boxes_copy(boxes, (const uint8_t *)name, length);
    weir_boxes_end(boxes, hdlr);
}

// The data is in this file.
static void write_dinf(struct weir_boxes *boxes)
{
    const size_t dinf = weir_boxes_begin(boxes, WEIR_BOX('d', 'i', 'n', 'f'));
    const size_t dref = weir_boxes_begin(boxes, WEIR_BOX('d', 'r', 'e', 'f'));
    weir_boxes_u32(boxes, 0);
    weir_boxes_u32(boxes, 1);
    const size_t url = weir_boxes_begin(boxes, WEIR_BOX('u', 'r', 'l', ' '));
    weir_boxes_u32(boxes, 1);
    weir_boxes_end(boxes, url);
    weir_boxes_end(boxes, dref);
    weir_boxes_end(boxes, dinf);
}

static void write_pasp(struct weir_boxes *boxes, const struct weir_track *track)
{
    if (track->pixel_aspect_num == 0) {
        return;
    }
    const size_t pasp = weir_boxes_begin(boxes, WEIR_BOX('p', 'a', 's', 'p'));
    weir_boxes_u32(boxes, track->pixel_aspect_num);
    weir_boxes_u32(boxes, track->pixel_aspect_den);
    weir_boxes_end(boxes, pasp);
}

static void write_colr(struct weir_boxes *boxes, const struct weir_track *track)
{
    if (track->color_primaries == 0) {
        return;
    }
    const size_t colr = weir_boxes_begin(boxes, WEIR_BOX('c', 'o', 'l', 'r'));
    weir_boxes_u32(boxes, WEIR_BOX('n', 'c', 'l', 'c'));
    write_u16(boxes, track->color_primaries);
    write_u16(boxes, track->color_transfer);
    write_u16(boxes, track->color_matrix);
    weir_boxes_end(boxes, colr);
}

static void write_stsd(struct weir_boxes *boxes, const struct weir_track *track)
{
    const struct weir_movie_codec_info *codec = weir_hap_codec_of_tag(track->tag);
    const size_t stsd = weir_boxes_begin(boxes, WEIR_BOX('s', 't', 's', 'd'));
    weir_boxes_u32(boxes, 0);
    weir_boxes_u32(boxes, 1);
    const size_t entry = weir_boxes_begin(boxes, track->tag);
    weir_boxes_u32(boxes, 0);
    weir_boxes_u32(boxes, 1); // the data reference
    write_zeros(boxes, 4);
    write_u16(boxes, track->width);
    write_u16(boxes, track->height);
    weir_boxes_u32(boxes, DOTS_PER_INCH);
    weir_boxes_u32(boxes, DOTS_PER_INCH);
    weir_boxes_u32(boxes, 0);
    write_u16(boxes, 1); // frames a sample
    write_zeros(boxes, 8);
    write_u16(boxes, codec ? codec->bits_per_coded_sample : 24);
    write_u16(boxes, 0xffff); // no table of colours
    write_colr(boxes, track);
    write_pasp(boxes, track);
    weir_boxes_end(boxes, entry);
    weir_boxes_end(boxes, stsd);
}

static void write_empty_tables(struct weir_boxes *boxes)
{
    static const uint32_t types[] = {
        WEIR_BOX('s', 't', 't', 's'),
        WEIR_BOX('s', 't', 's', 'c'),
        WEIR_BOX('s', 't', 's', 'z'),
        WEIR_BOX('s', 't', 'c', 'o'),
    };
    for (int i = 0; i < 4; i++) {
        const size_t table = weir_boxes_begin(boxes, types[i]);
        write_zeros(boxes, types[i] == WEIR_BOX('s', 't', 's', 'z') ? 3 : 2);
        weir_boxes_end(boxes, table);
    }
}

static void write_minf(struct weir_boxes *boxes, const struct weir_track *track)
{
    const size_t minf = weir_boxes_begin(boxes, WEIR_BOX('m', 'i', 'n', 'f'));
    const size_t vmhd = weir_boxes_begin(boxes, WEIR_BOX('v', 'm', 'h', 'd'));
    const struct weir_movie_codec_info *codec = weir_hap_codec_of_tag(track->tag);
    weir_boxes_u32(boxes, 1);
    write_u16(boxes, codec ? weir_hap_graphics_mode(codec, false) : 0);
    write_u16(boxes, 0);
    write_zeros(boxes, 1);
    weir_boxes_end(boxes, vmhd);
    write_hdlr(boxes, WEIR_BOX('d', 'h', 'l', 'r'), WEIR_BOX('u', 'r', 'l', ' '), "DataHandler",
               11);
    write_dinf(boxes);
    const size_t stbl = weir_boxes_begin(boxes, WEIR_BOX('s', 't', 'b', 'l'));
    write_stsd(boxes, track);
    write_empty_tables(boxes);
    weir_boxes_end(boxes, stbl);
    weir_boxes_end(boxes, minf);
}

static void write_mvex(struct weir_boxes *boxes)
{
    const size_t mvex = weir_boxes_begin(boxes, WEIR_BOX('m', 'v', 'e', 'x'));
    const size_t trex = weir_boxes_begin(boxes, WEIR_BOX('t', 'r', 'e', 'x'));
    const uint32_t fields[] = {0, 1, 1, 0, 0, 0}; // the track, and its sample description
    for (int i = 0; i < 6; i++) {
        weir_boxes_u32(boxes, fields[i]);
    }
    weir_boxes_end(boxes, trex);
    weir_boxes_end(boxes, mvex);
}

size_t weir_head_write(const struct weir_track *track, uint8_t bytes[WEIR_HEAD_ROOM])
{
    struct weir_boxes boxes = {.bytes = bytes, .room = WEIR_HEAD_ROOM};
    const size_t ftyp = weir_boxes_begin(&boxes, WEIR_BOX('f', 't', 'y', 'p'));
    weir_boxes_u32(&boxes, WEIR_BOX('q', 't', ' ', ' '));
    weir_boxes_u32(&boxes, 0x200);
    weir_boxes_u32(&boxes, WEIR_BOX('q', 't', ' ', ' '));
    weir_boxes_end(&boxes, ftyp);
    const size_t moov = weir_boxes_begin(&boxes, WEIR_BOX('m', 'o', 'o', 'v'));
    write_mvhd(&boxes);
    const size_t trak = weir_boxes_begin(&boxes, WEIR_BOX('t', 'r', 'a', 'k'));
    write_tkhd(&boxes, track);
    const size_t mdia = weir_boxes_begin(&boxes, WEIR_BOX('m', 'd', 'i', 'a'));
    write_mdhd(&boxes, track);
    write_hdlr(&boxes, WEIR_BOX('m', 'h', 'l', 'r'), WEIR_BOX('v', 'i', 'd', 'e'), "VideoHandler",
               12);
    write_minf(&boxes, track);
    weir_boxes_end(&boxes, mdia);
    weir_boxes_end(&boxes, trak);
    write_mvex(&boxes);
    weir_boxes_end(&boxes, moov);
    return boxes.size;
}
