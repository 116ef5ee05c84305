// SPDX-License-Identifier: MIT
// The movie sink: a QuickTime movie through libavformat, one fragment a frame, so that a kill at any time
// leaves every frame that was written readable. docs/capture.md says why this form.
#include <stdio.h>
#include <stdlib.h>

#include <libavcodec/packet.h>
#include <libavformat/avformat.h>

#include "capture/file.h"
#include "capture/mux/mux.h"

#define STAGE_SIZE 4096 // what libavformat gathers before it calls us; packets go around it

struct mov {
    struct weir_mux base;
    struct weir_file file;
    uint32_t ticks_per_frame;
    AVFormatContext *format;
    AVIOContext *io;
    AVPacket *packet;
};

#if LIBAVFORMAT_VERSION_MAJOR >= 61
static int write_bytes(void *opaque, const uint8_t *bytes, int size)
#else
static int write_bytes(void *opaque, uint8_t *bytes, int size)
#endif
{
    struct mov *mov = opaque;
    return weir_file_write(&mov->file, bytes, (size_t)size) == WEIR_OK ? size : AVERROR(EIO);
}

static void destroy(struct mov *mov)
{
    avformat_free_context(mov->format);
    if (mov->io) {
        av_freep(&mov->io->buffer);
        avio_context_free(&mov->io);
    }
    av_packet_free(&mov->packet);
    free(mov);
}

// The file's own failure has been logged with its reason; libavformat's has not.
static enum weir_result fail(struct mov *mov, const char *what, int error)
{
    if (mov->file.state != WEIR_OK) {
        return mov->file.state;
    }
    if (error == AVERROR(ENOMEM)) {
        weir_log_printf(&mov->file.log, WEIR_LOG_ERROR, WEIR_LOG_OUT_OF_MEMORY,
                        "no memory to %s '%s'", what, mov->file.path);
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    char text[AV_ERROR_MAX_STRING_SIZE];
    weir_log_printf(&mov->file.log, WEIR_LOG_ERROR, WEIR_LOG_MUXER_FAILED,
                    "libavformat cannot %s '%s': %s", what, mov->file.path,
                    av_make_error_string(text, sizeof(text), error));
    return WEIR_ERROR_IO;
}

// A muxer needs no encoder: what stands here is what the movie's sample description says.
static int describe_stream(struct mov *mov, const struct weir_mux_params *params)
{
    AVStream *stream = avformat_new_stream(mov->format, NULL);
    if (!stream) {
        return AVERROR(ENOMEM);
    }
    stream->time_base = (AVRational){1, (int)params->ticks_per_second};
    stream->avg_frame_rate = (AVRational){(int)params->rate_num, (int)params->rate_den};
    AVCodecParameters *codec = stream->codecpar;
    codec->codec_type = AVMEDIA_TYPE_VIDEO;
    codec->codec_id = AV_CODEC_ID_HAP;
    codec->codec_tag = MKTAG('H', 'a', 'p', 'Y');
    codec->width = (int)params->width;
    codec->height = (int)params->height;
    codec->bits_per_coded_sample = 24;
    codec->color_range = AVCOL_RANGE_JPEG;
    codec->color_primaries = AVCOL_PRI_BT709;
    codec->color_trc = AVCOL_TRC_IEC61966_2_1;
    codec->color_space = AVCOL_SPC_RGB;
    return 0;
}

static int write_header(struct mov *mov, const struct weir_mux_params *params)
{
    AVDictionary *options = NULL;
    av_dict_set(&options, "movflags",
                "frag_custom+empty_moov+default_base_moof+write_colr+skip_trailer", 0);
    av_dict_set_int(&options, "video_track_timescale", params->ticks_per_second, 0);
    const int error = avformat_write_header(mov->format, &options);
    av_dict_free(&options);
    avio_flush(mov->io);
    // From here on packets pass through without a copy. Not before: sizes in the header are filled in
    // afterwards, in the stage.
    mov->io->direct = 1;
    return error < 0 ? error : mov->io->error;
}

static int start_movie(struct mov *mov, const struct weir_mux_params *params)
{
    int error = avformat_alloc_output_context2(&mov->format, NULL, "mov", NULL);
    if (error < 0) {
        return error;
    }
    mov->packet = av_packet_alloc();
    uint8_t *stage = av_malloc(STAGE_SIZE);
    mov->io = stage ? avio_alloc_context(stage, STAGE_SIZE, 1, mov, NULL, write_bytes, NULL) : NULL;
    if (!mov->packet || !mov->io) {
        if (!mov->io) {
            av_free(stage);
        }
        return AVERROR(ENOMEM);
    }
    mov->format->pb = mov->io;
    mov->format->flags |= AVFMT_FLAG_CUSTOM_IO | AVFMT_FLAG_BITEXACT;
    error = describe_stream(mov, params);
    return error < 0 ? error : write_header(mov, params);
}

static enum weir_result open_mov(const struct weir_mux_params *params, struct weir_mux **out)
{
    struct mov *mov = calloc(1, sizeof(*mov));
    if (!mov) {
        weir_log_printf(&params->log, WEIR_LOG_ERROR, WEIR_LOG_OUT_OF_MEMORY, "no memory");
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    mov->base.ops = &weir_mux_mov;
    mov->ticks_per_frame = params->ticks_per_frame;
    enum weir_result result = weir_file_open(&mov->file, params->path, &params->log);
    if (result != WEIR_OK) {
        free(mov);
        return result;
    }
    const int error = start_movie(mov, params);
    if (error < 0) {
        result = fail(mov, "begin the movie", error);
    } else {
        result = weir_file_flush(&mov->file);
    }
    if (result != WEIR_OK) {
        weir_file_close(&mov->file);
        destroy(mov);
        return result;
    }
    *out = &mov->base;
    return WEIR_OK;
}

static enum weir_result write_mov(struct weir_mux *mux, const struct weir_mux_packet *packet)
{
    struct mov *mov = (struct mov *)mux;
    mov->packet->data = (uint8_t *)(uintptr_t)packet->data;
    mov->packet->size = (int)packet->size;
    mov->packet->pts = mov->packet->dts = (int64_t)packet->ticks;
    mov->packet->duration = mov->ticks_per_frame;
    mov->packet->flags = AV_PKT_FLAG_KEY;
    mov->packet->stream_index = 0;
    int error = av_write_frame(mov->format, mov->packet);
    if (error >= 0) {
        error = av_write_frame(mov->format, NULL); // ends the fragment
    }
    avio_flush(mov->io);
    if (error >= 0) {
        error = mov->io->error;
    }
    return error < 0 ? fail(mov, "write a frame of", error) : weir_file_commit(&mov->file);
}

static enum weir_result close_mov(struct weir_mux *mux)
{
    struct mov *mov = (struct mov *)mux;
    if (mov->file.state == WEIR_OK) {
        av_write_trailer(mov->format); // writes nothing: every fragment stands for itself
    }
    const enum weir_result result = weir_file_close(&mov->file);
    destroy(mov);
    return result;
}

const struct weir_mux_ops weir_mux_mov = {
    .open = open_mov,
    .write = write_mov,
    .close = close_mov,
};
