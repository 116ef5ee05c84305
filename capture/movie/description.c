// SPDX-License-Identifier: MIT
// The descriptions of samples in a movie, the box stsd: pictures, audio and time code.
//
// Source: QuickTime File Format Specification (Apple), "Video sample description", "Sound sample
// description" and "Timecode Media"; Core Audio Types (Apple) for the layouts of channels. The
// values are those that libavformat writes, which players know.
#include "capture/base/size.h"
#include "capture/movie/hap.h"
#include "capture/movie/head.h"

#define DOTS_PER_INCH 0x00480000u // 72
#define QUALITY_NORMAL 0x200

// Write the head of the one entry.
static size_t begin(struct weir_boxes *boxes, uint32_t tag)
{
    const size_t entry = boxes->size;
    weir_boxes_u32(boxes, 0);
    weir_boxes_u32(boxes, tag);
    weir_boxes_u32(boxes, 0);
    weir_boxes_u32(boxes, 1); // the data reference
    return entry;
}

static void write_pasp(struct weir_boxes *boxes, const struct weir_movie_pictures *pictures)
{
    const uint32_t num = pictures->pixel_aspect_num, den = pictures->pixel_aspect_den;
    if (num > 0 && den > 0) {
        const uint32_t divisor = (uint32_t)weir_divisor(num, den);
        weir_boxes_numbers(boxes, "pasp", num / divisor, den / divisor);
    }
}

static void write_colr(struct weir_boxes *boxes, const struct weir_movie_pictures *pictures)
{
    if (pictures->color_primaries == 0) {
        return;
    }
    const size_t colr = weir_boxes_begin(boxes, "colr");
    weir_boxes_u32(boxes, WEIR_BOX("nclc"));
    weir_boxes_u16(boxes, pictures->color_primaries);
    weir_boxes_u16(boxes, pictures->color_transfer);
    weir_boxes_u16(boxes, pictures->color_matrix);
    weir_boxes_end(boxes, colr);
}

static void write_pictures(struct weir_boxes *boxes, const struct weir_movie_pictures *pictures)
{
    const struct weir_movie_codec_info *codec = weir_hap_codec_of_tag(pictures->tag);
    const size_t entry = begin(boxes, pictures->tag);
    weir_boxes_u32(boxes, 0); // version and revision
    weir_boxes_u32(boxes, WEIR_BOX("FFMP"));
    weir_boxes_u32(boxes, QUALITY_NORMAL); // in time
    weir_boxes_u32(boxes, QUALITY_NORMAL); // in space
    weir_boxes_u16(boxes, pictures->width);
    weir_boxes_u16(boxes, pictures->height);
    weir_boxes_u32(boxes, DOTS_PER_INCH);
    weir_boxes_u32(boxes, DOTS_PER_INCH);
    weir_boxes_u32(boxes, 0);
    weir_boxes_u16(boxes, 1);   // frames a sample
    weir_boxes_zeros(boxes, 8); // the name of the compressor
    weir_boxes_u16(boxes, codec ? codec->bits_per_coded_sample : 24);
    weir_boxes_u16(boxes, 0xffff); // no table of colours
    write_colr(boxes, pictures);
    write_pasp(boxes, pictures);
    weir_boxes_end(boxes, entry);
}

// The fields that versions 0 and 1 share. The rate has 16 bits.
static void write_short(struct weir_boxes *boxes, const struct weir_movie_audio *audio,
                        uint32_t version)
{
    weir_boxes_u32(boxes, version << 16);
    weir_boxes_u32(boxes, 0); // the vendor
    weir_boxes_u16(boxes, audio->num_channels);
    weir_boxes_u16(boxes, 16); // bits of a value; version 1 says them elsewhere
    weir_boxes_u32(boxes, 0);
    weir_boxes_u32(boxes, audio->sample_rate << 16);
}

// What version 1 adds: sizes, and that values are little-endian.
static void write_sizes(struct weir_boxes *boxes, const struct weir_movie_audio *audio)
{
    weir_boxes_u32(boxes, 1); // samples a packet
    weir_boxes_u32(boxes, audio->sample_size / audio->num_channels);
    weir_boxes_u32(boxes, audio->sample_size);
    weir_boxes_u32(boxes, 2);
    const size_t wave = weir_boxes_begin(boxes, "wave");
    weir_boxes_numbers(boxes, "frma", audio->tag);
    const size_t enda = weir_boxes_begin(boxes, "enda");
    weir_boxes_u16(boxes, 1);
    weir_boxes_end(boxes, enda);
    weir_boxes_end(boxes, weir_boxes_begin(boxes, "\0\0\0\0")); // the terminator
    weir_boxes_end(boxes, wave);
}

// The bits of a double. The rate is a whole number, above 0.
static uint64_t double_of(uint32_t rate)
{
    uint32_t exponent = 31;
    while (rate >> exponent == 0) {
        exponent--;
    }
    const uint64_t fraction = ((uint64_t)rate << (52 - exponent)) & ((UINT64_C(1) << 52) - 1);
    return (uint64_t)(1023 + exponent) << 52 | fraction;
}

// Version 2, for rates that 16 bits do not hold.
static void write_long(struct weir_boxes *boxes, const struct weir_movie_audio *audio)
{
    enum { FIXED_SIZE = 72, FLOAT_PACKED = 1 | 8, SIGNED_PACKED = 4 | 8 };
    weir_boxes_u32(boxes, 2u << 16);
    weir_boxes_u32(boxes, 0); // the vendor
    weir_boxes_u16(boxes, 3); // these five are always so
    weir_boxes_u16(boxes, 16);
    weir_boxes_u32(boxes, 0xfffe0000u);
    weir_boxes_u32(boxes, 0x10000);
    weir_boxes_u32(boxes, FIXED_SIZE);
    weir_boxes_u64(boxes, double_of(audio->sample_rate));
    weir_boxes_u32(boxes, audio->num_channels);
    weir_boxes_u32(boxes, 0x7f000000);
    weir_boxes_u32(boxes, audio->sample_size / audio->num_channels * 8);
    weir_boxes_u32(boxes, audio->is_float ? FLOAT_PACKED : SIGNED_PACKED);
    weir_boxes_u32(boxes, audio->sample_size);
    weir_boxes_u32(boxes, 1); // samples a packet
}

// True for one of several tracks of one channel and one format: they may be the channels of one
// sound, of which libavformat says no layout.
static bool may_be_channel(const struct weir_movie *movie, const struct weir_movie_audio *audio)
{
    uint32_t num = 0;
    for (uint32_t i = 0; i < movie->num_audio; i++) {
        num += movie->audio[i].num_channels == 1 && movie->audio[i].tag == audio->tag;
    }
    return audio->num_channels == 1 && num > 1;
}

static void write_audio(struct weir_boxes *boxes, const struct weir_movie *movie,
                        const struct weir_movie_audio *audio)
{
    const bool is_long = audio->sample_rate > UINT16_MAX;
    const size_t entry = begin(boxes, is_long ? WEIR_BOX("lpcm") : audio->tag);
    if (is_long) {
        write_long(boxes, audio);
    } else if (audio->tag == WEIR_BOX("sowt")) {
        write_short(boxes, audio, 0);
    } else {
        write_short(boxes, audio, 1);
        write_sizes(boxes, audio);
    }
    const bool is_mono = audio->layout == weir_layout_usual(1);
    if (audio->layout != 0 && !(is_mono && may_be_channel(movie, audio))) {
        weir_layout_write(boxes, audio->layout);
    }
    weir_boxes_end(boxes, entry);
}

static void write_timecode(struct weir_boxes *boxes, const struct weir_timecode_track *track)
{
    enum { FLAG_24_HOURS = 2 }; // after 23:59:59 comes 00:00:00
    const size_t entry = begin(boxes, WEIR_BOX("tmcd"));
    weir_boxes_u32(boxes, 0);
    weir_boxes_u32(boxes, FLAG_24_HOURS | (track->first.is_drop ? WEIR_TIMECODE_DROP_FRAME : 0));
    weir_boxes_u32(boxes, track->rate_num);
    weir_boxes_u32(boxes, track->rate_den);
    weir_boxes_u16(boxes, track->first.frames_per_second << 8);
    weir_boxes_end(boxes, entry);
}

void weir_head_write_description(struct weir_boxes *boxes, const struct weir_movie *movie,
                                 unsigned track)
{
    const bool is_timecode = track > movie->num_audio;
    const struct weir_movie_audio *audio = track > 0 && !is_timecode ? &movie->audio[track - 1]
                                                                     : NULL;
    const struct weir_description *copy = audio ? &audio->description
                                                : &movie->pictures.description;
    const size_t stsd = weir_boxes_begin_full(boxes, "stsd");
    weir_boxes_u32(boxes, 1);
    if (is_timecode) {
        write_timecode(boxes, &movie->timecode);
    } else if (copy->bytes) {
        weir_boxes_copy(boxes, copy->bytes, copy->size);
    } else if (audio) {
        write_audio(boxes, movie, audio);
    } else {
        write_pictures(boxes, &movie->pictures);
    }
    weir_boxes_end(boxes, stsd);
}
