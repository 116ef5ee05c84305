// SPDX-License-Identifier: MIT
// The head of a fragmented movie, written by libavformat: the boxes ftyp and moov.
#include "capture/stream/mux/header.h"

#include <errno.h>
#include <string.h>

#include <libavformat/avformat.h>

#include "capture/movie/boxes.h"
#include "capture/movie/codec.h"
#include "capture/movie/segment.h"
#include "capture/movie/timecode_track.h"

// Fill in the parameters of the stream of frames, from which libavformat writes the sample
// description. A muxer needs no encoder.
static int describe_frames(AVFormatContext *format, const struct weir_mux_params *params)
{
    AVStream *stream = avformat_new_stream(format, NULL);
    if (!stream) {
        return AVERROR(ENOMEM);
    }
    const struct weir_capture_track track = weir_mux_track(params);
    stream->time_base = (AVRational){(int)track.time_base_num, (int)track.time_base_den};
    stream->avg_frame_rate = (AVRational){(int)track.frame_rate_num, (int)track.frame_rate_den};
    AVCodecParameters *codec = stream->codecpar;
    codec->codec_type = AVMEDIA_TYPE_VIDEO;
    codec->codec_id = AV_CODEC_ID_HAP;
    codec->codec_tag = track.codec_tag;
    codec->width = (int)track.width;
    codec->height = (int)track.height;
    codec->bits_per_coded_sample = (int)track.bits_per_coded_sample;
    if (track.pixel_aspect_num != track.pixel_aspect_den) {
        codec->sample_aspect_ratio = (AVRational){(int)track.pixel_aspect_num,
                                                  (int)track.pixel_aspect_den};
        stream->sample_aspect_ratio = codec->sample_aspect_ratio;
    }
    // libavutil's enumerations are the code points of ISO/IEC 23091-2. Written as "nclc".
    codec->color_primaries = (enum AVColorPrimaries)track.color_primaries;
    codec->color_trc = (enum AVColorTransferCharacteristic)track.color_transfer;
    codec->color_space = (enum AVColorSpace)track.color_matrix;
    return 0;
}

// Fill in those of a sound track.
static int describe_audio(AVFormatContext *format, const struct weir_audio_track *track)
{
    static const enum AVCodecID codecs[] = {
        [WEIR_SAMPLE_S16] = AV_CODEC_ID_PCM_S16LE,
        [WEIR_SAMPLE_S24] = AV_CODEC_ID_PCM_S24LE,
        [WEIR_SAMPLE_S32] = AV_CODEC_ID_PCM_S32LE,
        [WEIR_SAMPLE_F32] = AV_CODEC_ID_PCM_F32LE,
    };
    AVStream *stream = avformat_new_stream(format, NULL);
    if (!stream) {
        return AVERROR(ENOMEM);
    }
    const uint32_t size = weir_audio_sample_size(track->format, track->num_channels);
    stream->time_base = (AVRational){1, (int)track->sample_rate};
    AVCodecParameters *codec = stream->codecpar;
    codec->codec_type = AVMEDIA_TYPE_AUDIO;
    codec->codec_id = codecs[track->format];
    codec->sample_rate = (int)track->sample_rate;
    codec->bits_per_coded_sample = (int)(size / track->num_channels * 8);
    codec->block_align = (int)size;
    av_channel_layout_default(&codec->ch_layout, (int)track->num_channels);
    return 0;
}

static int describe_streams(AVFormatContext *format, const struct weir_mux_params *params)
{
    int error = describe_frames(format, params);
    for (uint32_t i = 0; i < params->num_audio_tracks && error >= 0; i++) {
        error = describe_audio(format, &params->audio_tracks[i]);
    }
    return error;
}

static int write_header(AVFormatContext *format, const struct weir_mux_params *params)
{
    AVDictionary *options = NULL;
    int error = av_dict_set(&options, "movflags",
                            "frag_custom+empty_moov+default_base_moof+write_colr", 0);
    if (error >= 0) {
        error = av_dict_set_int(&options, "video_track_timescale", params->ticks_per_second, 0);
    }
    if (error >= 0) { // libavformat does not know the kinds of HAP that libavcodec does not decode
        error = av_dict_set(&options, "strict", "unofficial", 0);
    }
    format->flags |= AVFMT_FLAG_BITEXACT;
    if (error >= 0) {
        error = avformat_write_header(format, &options);
    }
    av_dict_free(&options);
    return error;
}

static int make(struct weir_mov_header *header, const struct weir_mux_params *params)
{
    AVFormatContext *format = NULL;
    int error = avformat_alloc_output_context2(&format, NULL, "mov", NULL);
    if (error >= 0) {
        error = describe_streams(format, params);
    }
    if (error >= 0) {
        error = avio_open_dyn_buf(&format->pb);
    }
    if (error >= 0) {
        error = write_header(format, params);
        const int size = avio_close_dyn_buf(format->pb, &header->bytes);
        header->size = size > 0 && header->bytes ? (size_t)size : 0; // without memory there is none
        format->pb = NULL;
    }
    avformat_free_context(format);
    return error;
}

// Find moov. False unless the header is a row of boxes whose last is moov, which the fragments and
// the index rely on.
static bool find_moov(struct weir_mov_header *header)
{
    size_t at = 0, size = 0;
    while (header->size - at >= 16) {
        header->moov = at;
        size = weir_boxes_read_u32(header->bytes + at);
        if (size < 16 || size > header->size - at) {
            return false;
        }
        at += size;
    }
    return at == header->size && size > 0 &&
           weir_boxes_read_u32(header->bytes + header->moov + 4) == WEIR_BOX('m', 'o', 'o', 'v');
}

// Say in front of moov which recording the movie is a segment of.
static int insert_segment(struct weir_mov_header *header, const struct weir_segment *segment)
{
    uint8_t *bytes = av_realloc(header->bytes, header->size + WEIR_SEGMENT_BOX_SIZE);
    if (!bytes) {
        return AVERROR(ENOMEM);
    }
    header->bytes = bytes;
    uint8_t *at = bytes + header->moov;
    memmove(at + WEIR_SEGMENT_BOX_SIZE, at, header->size - header->moov);
    struct weir_boxes boxes = {.bytes = at, .room = WEIR_SEGMENT_BOX_SIZE};
    weir_segment_write(segment, &boxes);
    header->moov += WEIR_SEGMENT_BOX_SIZE;
    header->size += WEIR_SEGMENT_BOX_SIZE;
    return 0;
}

// Find box number `number` of a type in a row of boxes, counted from 0. NULL: there is none.
static uint8_t *find_box(uint8_t *at, const uint8_t *end, uint32_t type, uint32_t number)
{
    for (uint32_t size; end - at >= 8; at += size) {
        size = weir_boxes_read_u32(at);
        if (size < 8 || size > (size_t)(end - at)) {
            return NULL;
        }
        if (weir_boxes_read_u32(at + 4) == type && number-- == 0) {
            return at;
        }
    }
    return NULL;
}

// Write how frames are laid over others. libavformat writes the mode of frames without alpha.
static bool write_graphics_mode(struct weir_mov_header *header, uint16_t mode)
{
    static const uint32_t path[] = {WEIR_BOX('t', 'r', 'a', 'k'), WEIR_BOX('m', 'd', 'i', 'a'),
                                    WEIR_BOX('m', 'i', 'n', 'f'), WEIR_BOX('v', 'm', 'h', 'd')};
    enum { DEPTH = 4, MODE = 12, LEAST_SIZE = 20 };
    uint8_t *box = header->bytes + header->moov;
    for (int level = 0; box && level < DEPTH; level++) {
        box = find_box(box + 8, box + weir_boxes_read_u32(box), path[level], 0);
    }
    if (!box || weir_boxes_read_u32(box) < LEAST_SIZE) {
        return false;
    }
    box[MODE] = (uint8_t)(mode >> 8);
    box[MODE + 1] = (uint8_t)mode;
    return true;
}

// Write the languages of sound tracks as three letters of five bits each (QuickTime File Format,
// "ISO Language Codes"). libavformat writes the older codes of the Macintosh to .mov, which most
// languages have not.
static bool write_languages(struct weir_mov_header *header, const struct weir_mux_params *params)
{
    static const uint32_t path[] = {WEIR_BOX('t', 'r', 'a', 'k'), WEIR_BOX('m', 'd', 'i', 'a'),
                                    WEIR_BOX('m', 'd', 'h', 'd')};
    enum { DEPTH = 3, LANGUAGE = 28, LEAST_SIZE = 32 };
    for (uint32_t i = 0; i < params->num_audio_tracks; i++) {
        const char *language = params->audio_tracks[i].language;
        uint8_t *box = header->bytes + header->moov;
        for (int level = 0; box && level < DEPTH; level++) {
            box = find_box(box + 8, box + weir_boxes_read_u32(box), path[level],
                           level == 0 ? 1 + i : 0);
        }
        if (!box || weir_boxes_read_u32(box) < LEAST_SIZE) {
            return false;
        }
        if (language[0]) {
            const int code = (language[0] - 0x60) << 10 | (language[1] - 0x60) << 5 |
                             (language[2] - 0x60);
            box[LANGUAGE] = (uint8_t)(code >> 8);
            box[LANGUAGE + 1] = (uint8_t)code;
        }
    }
    return true;
}

// Put a track of time code into the header. Returns an error of libavutil's.
static int insert_timecode(struct weir_mov_header *header, const struct weir_mux_params *params)
{
    if (params->timecode.frames_per_second == 0) {
        return 0;
    }
    struct weir_boxes boxes = {.room = header->size + WEIR_TIMECODE_TRACK_ROOM};
    boxes.bytes = av_malloc(boxes.room);
    if (!boxes.bytes) {
        return AVERROR(ENOMEM);
    }
    const struct weir_timecode_head head = {
        .bytes = header->bytes,
        .size = header->size,
        .moov = header->moov,
        .num_tracks = 1 + params->num_audio_tracks,
        .ticks_per_second = params->ticks_per_second,
        .ticks_per_frame = params->ticks_per_frame,
        .rate_num = params->ticks_per_second,
        .rate_den = params->ticks_per_frame,
    };
    weir_timecode_track_insert(&params->timecode, &head, &boxes);
    av_free(header->bytes);
    header->bytes = boxes.bytes;
    header->size = boxes.size;
    return boxes.overflow ? AVERROR_BUG : 0;
}

enum weir_result weir_mov_header_init(struct weir_mov_header *header,
                                      const struct weir_mux_params *params)
{
    *header = (struct weir_mov_header){.bytes = NULL};
    errno = 0;
    const uint16_t mode = weir_hap_graphics_mode(weir_movie_codec_get_info(params->codec),
                                                 params->premultiplied);
    int error = make(header, params);
    if (error >= 0 && !(find_moov(header) && write_graphics_mode(header, mode) &&
                        write_languages(header, params))) {
        error = AVERROR_BUG;
    }
    if (error >= 0 && params->segment) {
        error = insert_segment(header, params->segment);
    }
    if (error >= 0) {
        error = insert_timecode(header, params);
    }
    if (error >= 0) {
        return WEIR_OK;
    }
    const bool lacks_memory = error == AVERROR(ENOMEM) || errno == ENOMEM; // told or not
    weir_mov_header_finish(header);
    if (lacks_memory) {
        return weir_fail(&params->log, WEIR_ERROR_OUT_OF_MEMORY, WEIR_LOG_CODE_OUT_OF_MEMORY,
                         "no memory for the head of '%s'", params->path);
    }
    char text[AV_ERROR_MAX_STRING_SIZE];
    return weir_fail(&params->log, WEIR_ERROR_IO, WEIR_LOG_CODE_MUXER_FAILED,
                     "libavformat cannot begin the movie '%s': %s", params->path,
                     av_make_error_string(text, sizeof(text), error));
}

void weir_mov_header_finish(struct weir_mov_header *header)
{
    av_freep(&header->bytes);
}

struct weir_plain_head weir_mov_header_head(const struct weir_mov_header *header)
{
    return (struct weir_plain_head){.moov = header->bytes + header->moov,
                                    .size = header->size - header->moov};
}
