// SPDX-License-Identifier: MIT
// A reader: the decoded video frames of one file or URL, in order.
#include "capture/files/source/reader.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <libavutil/file.h>

#include "capture/files/source/profile.h"
#include "capture/files/source/scale.h"

enum { MAX_ERROR_MESSAGES = 3 };

void weir_reader_close(struct weir_reader *reader)
{
    weir_demux_stop(&reader->demux);
    av_packet_free(&reader->packet);
    av_packet_free(&reader->held);
    avcodec_free_context(&reader->codec);
    avformat_close_input(&reader->format);
    avio_closep(&reader->pipe);
}

static void count_error(struct weir_reader *reader, int error)
{
    if (++reader->num_errors > MAX_ERROR_MESSAGES) {
        return;
    }
    // Decoders of pictures call damaged what they do not know, as animated WebP.
    const bool is_damaged = error != AVERROR_PATCHWELCOME && !weir_reader_is_still(reader);
    weir_log_printf(
        reader->params.log, WEIR_LOG_WARNING, WEIR_LOG_CODE_READ_FAILED,
        "%s: a %spart was left out%s%s", reader->params.path, is_damaged ? "damaged " : "",
        is_damaged ? "" : ": this FFmpeg cannot decode it",
        reader->num_errors == MAX_ERROR_MESSAGES ? " (further ones are only counted)" : "");
}

// Get the error of the system behind what av_read_frame() answered, or 0 if there is none. Packets
// for which there is no memory are left out without a word.
static int system_error(const struct weir_reader *reader, int error)
{
    return error == AVERROR(ENOMEM) || reader->lacks_memory
               ? AVERROR(ENOMEM)
               : weir_reader_file_error(reader->format);
}

// Pictures have one packet, and nothing to read ahead.
static bool is_read_ahead(const struct weir_reader *reader)
{
    const AVIOContext *io = reader->format->pb;
    return !reader->params.still && !weir_reader_is_still(reader) && io &&
           (io->seekable & AVIO_SEEKABLE_NORMAL) == 0;
}

static int read_packet(struct weir_reader *reader)
{
    if (reader->demux) {
        return weir_demux_read_video(reader->demux, reader->packet);
    }
    errno = 0;
    const int error = av_read_frame(reader->format, reader->packet);
    reader->lacks_memory = reader->lacks_memory || errno == ENOMEM;
    return error;
}

// Give a packet to the decoder, NULL at the end.
static int send_packet(struct weir_reader *reader, AVPacket *packet)
{
    if (!reader->hap) {
        return avcodec_send_packet(reader->codec, packet);
    }
    if (packet) {
        av_packet_move_ref(reader->held, packet);
    }
    return 0;
}

static int receive_frame(struct weir_reader *reader, AVFrame *frame)
{
    if (!reader->hap) {
        return avcodec_receive_frame(reader->codec, frame);
    }
    if (!reader->held->data) {
        return AVERROR(EAGAIN);
    }
    const int error = weir_hap_decode(reader->hap, reader->stream->codecpar, reader->held,
                                      &reader->params.memory, frame);
    av_packet_unref(reader->held);
    if (error < 0) {
        av_frame_unref(frame);
    }
    return error;
}

// Give the decoder one more packet, or tell it that there is none.
static int feed(struct weir_reader *reader)
{
    int error = read_packet(reader);
    if (error < 0) {
        if (error == AVERROR(ENOBUFS) && reader->demux) {
            return error;
        }
        if (system_error(reader, error) < 0) {
            return system_error(reader, error);
        }
        if (error != AVERROR_EOF) {
            count_error(reader, error);
        }
        reader->draining = true;
        send_packet(reader, NULL);
        return 0;
    }
    if (reader->packet->stream_index == reader->stream->index) {
        weir_mend_note(&reader->mend, reader->codec->codec_id, reader->packet);
        errno = 0;
        error = weir_reader_memory_error(send_packet(reader, reader->packet));
        if (error < 0 && error != AVERROR(ENOMEM) &&
            weir_mend_drop_profile(&reader->mend, reader->packet)) {
            error = weir_reader_memory_error(send_packet(reader, reader->packet));
        }
        if (error == AVERROR(ENOMEM)) {
            return error;
        }
        if (error < 0) {
            count_error(reader, error);
        }
    }
    av_packet_unref(reader->packet);
    return 0;
}

int weir_libav_decode(enum AVCodecID codec, const void *bytes, size_t size, AVDictionary **options,
                      AVFrame *frame)
{
    AVCodecContext *decoder = avcodec_alloc_context3(avcodec_find_decoder(codec));
    AVPacket *packet = av_packet_alloc();
    int error = decoder && packet ? av_new_packet(packet, (int)size) : AVERROR(ENOMEM);
    if (error >= 0) {
        memcpy(packet->data, bytes, size);
        decoder->thread_count = 1;
        error = avcodec_open2(decoder, NULL, options);
    }
    error = error < 0 ? error : avcodec_send_packet(decoder, packet);
    error = error < 0 ? error : avcodec_receive_frame(decoder, frame);
    av_packet_free(&packet);
    avcodec_free_context(&decoder);
    return error;
}

// True if the first row of a PFM frame is the bottom one, with which such files begin (Debevec;
// Netpbm's pfm(5)): as FFmpeg 5.1 decodes, and 7.1 does not. libavcodec does not say so, and is
// asked by a file of 1x2 texels: 1 at the bottom, 0 at the top.
static bool is_pfm_bottom_up(void)
{
    static const uint8_t pfm[] = "Pf\n1 2\n-1.0\n\0\0\x80\x3f\0\0\0";
    AVFrame *frame = av_frame_alloc();
    float first = 0;
    if (frame && weir_libav_decode(AV_CODEC_ID_PFM, pfm, sizeof(pfm), NULL, frame) >= 0) {
        memcpy(&first, frame->data[0], sizeof(first));
    }
    av_frame_free(&frame);
    return first == 1;
}

// Set what FFmpeg's decoders leave out, or take too literally.
static int mend(const struct weir_reader *reader, AVFrame *frame)
{
    switch (reader->codec->codec_id) {
    case AV_CODEC_ID_PFM:
    case AV_CODEC_ID_PHM:
        return is_pfm_bottom_up() ? weir_orientation_note(frame, 4) : 0;
    case AV_CODEC_ID_DPX: // FFmpeg's own encoder says of all codes that they are linear
        if (frame->color_trc == AVCOL_TRC_LINEAR) {
            frame->color_trc = AVCOL_TRC_UNSPECIFIED;
        }
        return 0;
    case AV_CODEC_ID_WEBP: // of VP8, which says nothing of it: as libwebp has it
        frame->chroma_location = AVCHROMA_LOC_CENTER;
        return 0;
    case AV_CODEC_ID_PNG:
    case AV_CODEC_ID_TARGA:
        return weir_mend_frame(&reader->mend, frame);
    default:
        return 0;
    }
}

static const struct weir_log silent;

// Convert the colours of a frame. Of a sequence and of later frames nothing is said.
static enum weir_result convert(struct weir_reader *reader, AVFrame *frame)
{
    const struct weir_log *log = reader->params.still || reader->has_read ? &silent
                                                                          : reader->params.log;
    reader->has_read = true;
    const enum AVPixelFormat format = (enum AVPixelFormat)frame->format;
    const bool is_jpeg = reader->codec && reader->codec->codec_id == AV_CODEC_ID_MJPEG;
    // The decoder makes these of four inks, with an alpha that is none.
    const enum AVPixelFormat opaque = format == AV_PIX_FMT_GBRAP      ? AV_PIX_FMT_GBRP
                                      : format == AV_PIX_FMT_YUVA444P ? AV_PIX_FMT_YUV444P
                                      : format == AV_PIX_FMT_YUVA420P ? AV_PIX_FMT_YUV420P
                                                                      : format;
    if (is_jpeg && opaque != format) {
        frame->format = opaque;
        av_frame_remove_side_data(frame, AV_FRAME_DATA_ICC_PROFILE);
        weir_log_printf(log, WEIR_LOG_WARNING, WEIR_LOG_CODE_FALLBACK,
                        "%s: its CMYK becomes RGB by a plain formula and not by a profile; another "
                        "program has to convert it for exact colours",
                        reader->params.path);
    }
    return weir_profile_apply(frame, reader->params.picture.profile, reader->params.path, log);
}

static enum weir_result decode_still(const struct weir_reader *reader, AVFrame *frame,
                                     char reason[WEIR_REASON_SIZE])
{
    struct weir_still_request request = {
        .path = reader->params.path,
        .memory = &reader->params.memory,
        .params = &reader->params.picture,
        .log = reader->params.still ? &silent : reader->params.log,
    };
    if (reader->still->opens_itself) {
        return reader->still->decode(&request, frame, reason);
    }
    uint8_t *data = NULL;
    const int error = av_file_map(request.path, &data, &request.size, 0, NULL);
    if (error < 0) {
        snprintf(reason, WEIR_REASON_SIZE, "%s", strerror(AVUNERROR(error)));
        return error == AVERROR(ENOMEM) ? WEIR_ERROR_OUT_OF_MEMORY : WEIR_ERROR_IO;
    }
    request.data = data;
    const enum weir_result result = reader->still->decode(&request, frame, reason);
    av_file_unmap(data, request.size);
    return result;
}

// The picture comes once.
static enum weir_result read_still(struct weir_reader *reader, AVFrame *frame, bool *end)
{
    char reason[WEIR_REASON_SIZE] = "";
    *end = reader->draining;
    if (*end) {
        return WEIR_OK;
    }
    reader->draining = true;
    const enum weir_result result = decode_still(reader, frame, reason);
    if (result != WEIR_OK && reason[0] == 0) {
        snprintf(reason, WEIR_REASON_SIZE, "%s",
                 result == WEIR_ERROR_OUT_OF_MEMORY ? "no memory for its texels"
                                                    : "it is damaged or cut short");
    }
    return result == WEIR_OK
               ? convert(reader, frame)
               : weir_reader_fail(reader, result, WEIR_LOG_CODE_NOT_A_PICTURE, reason);
}

enum weir_result weir_reader_read(struct weir_reader *reader, AVFrame *frame, bool *end)
{
    if (reader->still) {
        return read_still(reader, frame, end);
    }
    *end = false;
    if (!reader->demux && is_read_ahead(reader)) {
        const int started = weir_demux_start(reader->format, reader->stream->index,
                                             reader->params.keeps_audio, &reader->demux);
        if (started < 0) {
            return weir_reader_fail_av(reader, started);
        }
    }
    for (;;) {
        errno = 0;
        int error = weir_reader_memory_error(receive_frame(reader, frame));
        if (error == 0) {
            return mend(reader, frame) < 0 ? WEIR_ERROR_OUT_OF_MEMORY : convert(reader, frame);
        }
        if (error == AVERROR_EOF || (error == AVERROR(EAGAIN) && reader->draining)) {
            *end = true;
            return WEIR_OK;
        }
        if (error == AVERROR(EAGAIN)) {
            error = feed(reader);
        } else if (error != AVERROR(ENOMEM)) {
            count_error(reader, error);
            error = 0;
        }
        if (error < 0) {
            return weir_reader_fail_av(reader, error);
        }
    }
}

enum weir_result weir_reader_read_picture(const struct weir_reader_params *params, AVFrame *frame,
                                          bool *decoded, const struct weir_still_decoder **still)
{
    struct weir_reader reader;
    bool end = false;
    enum weir_result result = weir_reader_open(&reader, params);
    if (result == WEIR_OK) {
        result = weir_reader_read(&reader, frame, &end);
    }
    *decoded = result == WEIR_OK && !end;
    *still = reader.still;
    weir_reader_close(&reader);
    return weir_reader_is_failure(result) ? result : WEIR_OK;
}

bool weir_reader_is_seekable(const AVFormatContext *format)
{
    const int uncertain = AVFMT_TS_DISCONT | AVFMT_NOTIMESTAMPS | AVFMT_GENERIC_INDEX;
    return format && format->pb && (format->pb->seekable & AVIO_SEEKABLE_NORMAL) != 0 &&
           (format->iformat->flags & uncertain) == 0;
}

// Read up to the next packet of frames. False at the end, or after a failure.
static bool read_frame_packet(struct weir_reader *reader)
{
    int error;
    do {
        av_packet_unref(reader->packet);
        error = av_read_frame(reader->format, reader->packet);
    } while (error >= 0 && reader->packet->stream_index != reader->stream->index);
    return error >= 0;
}

bool weir_reader_seek(struct weir_reader *reader, int64_t pts)
{
    if (reader->still || !weir_reader_is_seekable(reader->format) ||
        av_seek_frame(reader->format, reader->stream->index, pts, AVSEEK_FLAG_BACKWARD) < 0) {
        return false;
    }
    if (!reader->hap) {
        avcodec_flush_buffers(reader->codec);
    }
    reader->draining = false;
    // Frames that are shown before the key frame may need one that was left out.
    AVPacket *packet = reader->packet;
    const bool is_good = read_frame_packet(reader) && (packet->flags & AV_PKT_FLAG_KEY) != 0 &&
                         packet->pts != AV_NOPTS_VALUE && packet->pts <= pts &&
                         send_packet(reader, packet) == 0;
    av_packet_unref(reader->packet);
    return is_good;
}
