// SPDX-License-Identifier: MIT
// The head of a fragmented movie, written by libavformat: the boxes ftyp and moov.
#include "capture/stream/mux/header.h"

#include <errno.h>

#include <libavformat/avformat.h>

#include "capture/format/boxes.h"
#include "capture/format/codec.h"
#include "capture/stream/mux/track.h"

// Fill in the parameters of the stream, from which libavformat writes the sample description. A
// muxer needs no encoder.
static int describe_stream(AVFormatContext *format, const struct weir_mux_params *params)
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
    // libavutil's enumerations are the code points of ISO/IEC 23091-2. Written as "nclc".
    codec->color_primaries = (enum AVColorPrimaries)track.color_primaries;
    codec->color_trc = (enum AVColorTransferCharacteristic)track.color_transfer;
    codec->color_space = (enum AVColorSpace)track.color_matrix;
    return 0;
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
        error = describe_stream(format, params);
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

// libavformat writes the graphics mode of frames without alpha. The header is small, and only the
// box vmhd begins so.
static void set_graphics_mode(struct weir_mov_header *header, uint16_t mode)
{
    enum { VMHD_SIZE = 20, MODE_AT = 12 };
    for (size_t at = header->moov; at + VMHD_SIZE <= header->size; at++) {
        uint8_t *box = header->bytes + at;
        if (weir_boxes_read_u32(box) == VMHD_SIZE &&
            weir_boxes_read_u32(box + 4) == WEIR_BOX('v', 'm', 'h', 'd')) {
            box[MODE_AT] = (uint8_t)(mode >> 8);
            box[MODE_AT + 1] = (uint8_t)mode;
        }
    }
}

enum weir_result weir_mov_header_init(struct weir_mov_header *header,
                                      const struct weir_mux_params *params)
{
    *header = (struct weir_mov_header){.bytes = NULL};
    errno = 0;
    int error = make(header, params);
    if (error >= 0 && !find_moov(header)) {
        error = AVERROR_BUG;
    }
    if (error >= 0) {
        set_graphics_mode(header, weir_hap_graphics_mode(weir_movie_codec_get_info(params->codec),
                                                         params->premultiplied));
        return WEIR_OK;
    }
    const bool lacks_memory = error == AVERROR(ENOMEM) || errno == ENOMEM; // told or not
    weir_mov_header_finish(header);
    if (lacks_memory) {
        weir_log_printf(&params->log, WEIR_LOG_ERROR, WEIR_LOG_CODE_OUT_OF_MEMORY,
                        "no memory for the head of '%s'", params->path);
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    char text[AV_ERROR_MAX_STRING_SIZE];
    weir_log_printf(&params->log, WEIR_LOG_ERROR, WEIR_LOG_CODE_MUXER_FAILED,
                    "libavformat cannot begin the movie '%s': %s", params->path,
                    av_make_error_string(text, sizeof(text), error));
    return WEIR_ERROR_IO;
}

void weir_mov_header_finish(struct weir_mov_header *header)
{
    av_freep(&header->bytes);
}

struct weir_index_head weir_mov_header_head(const struct weir_mov_header *header,
                                            const struct weir_mux_params *params)
{
    return (struct weir_index_head){
        .moov = header->bytes + header->moov,
        .size = header->size - header->moov,
        .ticks_per_second = params->ticks_per_second,
        .ticks_per_frame = params->ticks_per_frame,
    };
}
