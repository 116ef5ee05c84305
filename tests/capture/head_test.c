// SPDX-License-Identifier: MIT
// The head of a movie against the one that libavformat writes: the same bytes, but for what it
// cannot say (graphics modes, languages) or says otherwise (segments, time code).
#include "capture/movie/head.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libavformat/avformat.h>

#include "capture/stream/mux/mux.h"
#include "reference.h"
#include "testing.h"

// The version whose bytes these are. Others choose other flags and layouts of channels.
enum { LIBAVFORMAT = 59 };

static void describe_pictures(AVFormatContext *format, const struct weir_mux_params *params)
{
    struct weir_capture_track track = weir_mux_track(params);
    AVStream *stream = avformat_new_stream(format, NULL);
    if (track.pixel_aspect_num == track.pixel_aspect_den) {
        track.pixel_aspect_num = 0; // without a box
    }
    reference_describe(stream, &track);
}

static void describe_audio(AVFormatContext *format, const struct weir_audio_track *track)
{
    static const enum AVCodecID codecs[] = {
        [WEIR_SAMPLE_S16] = AV_CODEC_ID_PCM_S16LE,
        [WEIR_SAMPLE_S24] = AV_CODEC_ID_PCM_S24LE,
        [WEIR_SAMPLE_S32] = AV_CODEC_ID_PCM_S32LE,
        [WEIR_SAMPLE_F32] = AV_CODEC_ID_PCM_F32LE,
    };
    const uint32_t size = weir_audio_sample_size(track->format, track->num_channels);
    AVStream *stream = avformat_new_stream(format, NULL);
    stream->time_base = (AVRational){1, (int)track->sample_rate};
    AVCodecParameters *codec = stream->codecpar;
    codec->codec_type = AVMEDIA_TYPE_AUDIO;
    codec->codec_id = codecs[track->format];
    codec->sample_rate = (int)track->sample_rate;
    codec->bits_per_coded_sample = (int)(size / track->num_channels * 8);
    codec->block_align = (int)size;
    av_channel_layout_default(&codec->ch_layout, (int)track->num_channels);
}

// Let libavformat write the head of a fragmented movie. Returns its size.
static size_t write_theirs(const struct weir_mux_params *params, uint8_t **bytes)
{
    AVFormatContext *format = NULL;
    AVDictionary *options = NULL;
    avformat_alloc_output_context2(&format, NULL, "mov", NULL);
    describe_pictures(format, params);
    for (uint32_t i = 0; i < params->num_audio_tracks; i++) {
        describe_audio(format, &params->audio_tracks[i]);
    }
    av_dict_set(&options, "movflags", "frag_custom+empty_moov+default_base_moof+write_colr", 0);
    av_dict_set_int(&options, "video_track_timescale", params->ticks_per_second, 0);
    av_dict_set(&options, "strict", "unofficial", 0);
    format->flags |= AVFMT_FLAG_BITEXACT;
    test_expect(avio_open_dyn_buf(&format->pb) >= 0 && avformat_write_header(format, &options) >= 0,
                "libavformat writes a head");
    av_dict_free(&options);
    const int size = avio_close_dyn_buf(format->pb, bytes);
    format->pb = NULL;
    avformat_free_context(format);
    return (size_t)size;
}

// Find the next box of a type; behind the end of what is searched there is a zero.
static size_t find(const uint8_t *bytes, size_t size, size_t at, const char *type)
{
    while (at + 4 <= size && memcmp(bytes + at, type, 4) != 0) {
        at++;
    }
    return at;
}

// Eight channels by a bitmap, in the order of WAV files: the number that libavformat writes stands
// for another order in FFmpeg 7, and mpv 0.40 does not play that.
static void patch_channels(uint8_t *bytes, size_t size)
{
    enum { LAYOUT = 8 };
    static const uint8_t number[4] = {0x00, 0x80, 0x00, 0x08};
    static const uint8_t bitmap[8] = {0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x06, 0x3f};
    size_t at = 0;
    while ((at = find(bytes, size, at + 1, "chan")) + LAYOUT + sizeof(bitmap) <= size) {
        if (memcmp(bytes + at + LAYOUT, number, sizeof(number)) == 0) {
            memcpy(bytes + at + LAYOUT, bitmap, sizeof(bitmap));
        }
    }
}

// What libavformat cannot say: the graphics mode, languages by three letters, and, before it has
// written samples of the tracks behind the first, the number of the next track.
static void patch(uint8_t *bytes, size_t size, const struct weir_movie *movie)
{
    enum { MODE = 8, LANGUAGE = 24, NEXT_TRACK = 103 };
    bytes[find(bytes, size, 0, "mvhd") + NEXT_TRACK] = (uint8_t)(2 + movie->num_audio);
    const size_t vmhd = find(bytes, size, 0, "vmhd");
    bytes[vmhd + MODE] = (uint8_t)(movie->pictures.graphics_mode >> 8);
    bytes[vmhd + MODE + 1] = (uint8_t)movie->pictures.graphics_mode;
    patch_channels(bytes, size);
    size_t mdhd = find(bytes, size, 0, "mdhd");
    for (uint32_t i = 0; i < movie->num_audio; i++) {
        mdhd = find(bytes, size, mdhd + 1, "mdhd");
        bytes[mdhd + LANGUAGE] = (uint8_t)(movie->audio[i].language >> 8);
        bytes[mdhd + LANGUAGE + 1] = (uint8_t)movie->audio[i].language;
    }
}

static void compare(const struct weir_mux_params *params, const char *name)
{
    struct weir_movie movie;
    struct weir_head ours;
    uint8_t *theirs;
    weir_mux_mov_describe(params, &movie);
    test_expect(weir_head_make(&movie, &ours), "memory");
    const size_t size = write_theirs(params, &theirs);
    patch(theirs, size, &movie);
    const size_t least = size < ours.size ? size : ours.size;
    size_t at = 0;
    while (at < least && ours.bytes[at] == theirs[at]) {
        at++;
    }
    test_expect(size == ours.size && at == size, "%s: %zu bytes, and %zu by libavformat; byte %zu",
                name, ours.size, size, at);
    free(ours.bytes);
    av_free(theirs);
    weir_movie_finish(&movie);
}

static void test_pictures(void)
{
    size_t num_codecs;
    const struct weir_movie_codec_info *codecs = weir_movie_codec_list(&num_codecs);
    static const uint32_t sizes[][2] = {{1, 1}, {33, 17}, {1920, 1080}, {65535, 65535}};
    static const uint32_t aspects[][2] = {{1, 1}, {4, 3}, {6, 4}, {1, INT32_MAX}, {INT32_MAX, 2}};
    for (size_t i = 0; i < num_codecs * 4 * 5; i++) {
        const struct weir_movie_codec_info *codec = &codecs[i / 20];
        struct weir_mux_params params = test_movie("head", sizes[i / 5 % 4][0],
                                                   sizes[i / 5 % 4][1]);
        params.codec = codec->codec;
        params.premultiplied = i % 2 == 0;
        params.pixel_aspect_num = aspects[i % 5][0];
        params.pixel_aspect_den = aspects[i % 5][1];
        params.ticks_per_second = i % 3 == 0 ? 90000 : 60000;
        compare(&params, codec->name);
    }
}

static void test_audio(void)
{
    static const uint32_t rates[] = {1000, 44100, 48000, 65535, 65536, 96000, 192000, 768000};
    for (uint32_t i = 0; i < 16 * 4 * 8; i++) {
        const struct weir_audio_track track = {
            .num_channels = 1 + i % 16,
            .format = (enum weir_sample_format)(i / 16 % 4),
            .sample_rate = rates[i / 64],
        };
        struct weir_mux_params params = test_movie("head", 64, 64);
        char name[64];
        snprintf(name, sizeof(name), "format %d, %u channels, %u Hz", (int)track.format,
                 track.num_channels, track.sample_rate);
        params.audio_tracks = &track;
        params.num_audio_tracks = 1;
        compare(&params, name);
    }
}

static void test_tracks(void)
{
    static const char languages[][4] = {"", "eng", "deu", "zxx"};
    for (uint32_t round = 0; round < 20 * (1 + WEIR_MAX_AUDIO_TRACKS); round++) {
        const uint32_t num = round / 20;
        struct weir_audio_track tracks[WEIR_MAX_AUDIO_TRACKS];
        for (uint32_t i = 0; i < num; i++) {
            tracks[i] = (struct weir_audio_track){
                .num_channels = 1 + (uint32_t)(test_random() % (round % 2 ? 16 : 2)),
                .format = (enum weir_sample_format)(test_random() % 4),
                .sample_rate = 1000 + (uint32_t)(test_random() % 767001),
            };
            memcpy(tracks[i].language, languages[test_random() % 4], sizeof(tracks[i].language));
        }
        struct weir_mux_params params = test_movie("head", 1 + (uint32_t)(test_random() % 65535),
                                                   1 + (uint32_t)(test_random() % 65535));
        char name[32];
        snprintf(name, sizeof(name), "%u tracks", num);
        params.ticks_per_second = 1 + (uint32_t)(test_random() % 1000000);
        params.audio_tracks = tracks;
        params.num_audio_tracks = num;
        compare(&params, name);
    }
}

int main(void)
{
    if (avformat_version() >> 16 != LIBAVFORMAT) {
        printf("libavformat %u writes other bytes than %d: not compared\n",
               avformat_version() >> 16, LIBAVFORMAT);
        return 77;
    }
    av_log_set_level(AV_LOG_ERROR);
    test_pictures();
    test_audio();
    test_tracks();
    return test_finish();
}
