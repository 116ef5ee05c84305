// SPDX-License-Identifier: MIT
// FFmpeg's encoder and decoder of HAP, for the bars of quality. Every failure ends the program.
#include "tests/bench/quality/ffmpeg_hap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libavformat/avformat.h>
#include <libavutil/imgutils.h>
#include <libavutil/opt.h>
#include <libswscale/swscale.h>

void die(const char *what, const char *name)
{
    fprintf(stderr, "%s: %s\n", name, what);
    exit(1);
}

void *need(void *p)
{
    if (!p) {
        die("out of memory", "allocation");
    }
    return p;
}

struct picture picture_new(int width, int height)
{
    struct picture p = {width, height, NULL};
    p.rgb = need(calloc((size_t)width * (size_t)height, 3));
    return p;
}

void picture_thin(struct picture *p, int height, int every, int first)
{
    const int num = p->height / (height * every);
    const size_t size = (size_t)(3 * p->width * height);
    if (num == 0) {
        die("has too few rows to leave out some", "picture");
    }
    for (int i = 0; i < num; i++) {
        memmove(p->rgb + size * (size_t)i, p->rgb + size * (size_t)(i * every + first), size);
    }
    p->height = num * height;
}

static void convert(const AVFrame *frame, enum AVPixelFormat to, uint8_t *const data[4],
                    const int stride[4])
{
    const enum AVPixelFormat from = (enum AVPixelFormat)frame->format;
    struct SwsContext *sws = need(sws_getContext(frame->width, frame->height, from, frame->width,
                                                 frame->height, to, SWS_POINT | SWS_ACCURATE_RND,
                                                 NULL, NULL, NULL));
    sws_scale(sws, (const uint8_t *const *)frame->data, frame->linesize, 0, frame->height, data,
              stride);
    sws_freeContext(sws);
}

static struct picture picture_from_frame(const AVFrame *frame)
{
    struct picture p = picture_new(frame->width, frame->height);
    uint8_t *const data[4] = {p.rgb};
    const int stride[4] = {3 * p.width};
    convert(frame, AV_PIX_FMT_RGB24, data, stride);
    return p;
}

// Decode one packet, or drain for the last frame.
static AVFrame *decode_packet(AVCodecContext *decoder, const AVPacket *packet, const char *name)
{
    AVFrame *frame = need(av_frame_alloc());
    if (avcodec_send_packet(decoder, packet) < 0 || avcodec_send_packet(decoder, NULL) < 0 ||
        avcodec_receive_frame(decoder, frame) < 0) {
        die("cannot be decoded", name);
    }
    return frame;
}

struct picture picture_load(const char *name)
{
    AVFormatContext *format = NULL;
    const AVCodec *codec = NULL;
    if (avformat_open_input(&format, name, NULL, NULL) < 0 ||
        avformat_find_stream_info(format, NULL) < 0) {
        die("cannot be opened", name);
    }
    const int stream = av_find_best_stream(format, AVMEDIA_TYPE_VIDEO, -1, -1, &codec, 0);
    if (stream < 0) {
        die("has no picture", name);
    }
    AVCodecContext *decoder = need(avcodec_alloc_context3(codec));
    AVPacket *packet = need(av_packet_alloc());
    if (avcodec_parameters_to_context(decoder, format->streams[stream]->codecpar) < 0 ||
        avcodec_open2(decoder, codec, NULL) < 0) {
        die("cannot be decoded", name);
    }
    do {
        av_packet_unref(packet);
        if (av_read_frame(format, packet) < 0) {
            die("has no frame", name);
        }
    } while (packet->stream_index != stream);
    AVFrame *frame = decode_packet(decoder, packet, name);
    struct picture p = picture_from_frame(frame);
    av_frame_free(&frame);
    av_packet_free(&packet);
    avcodec_free_context(&decoder);
    avformat_close_input(&format);
    return p;
}

struct picture hap_decode(const AVPacket *packet, int width, int height)
{
    const AVCodec *codec = avcodec_find_decoder(AV_CODEC_ID_HAP);
    if (!codec) {
        die("not in this libavcodec", "hap decoder");
    }
    AVCodecContext *decoder = need(avcodec_alloc_context3(codec));
    decoder->width = width;
    decoder->height = height;
    decoder->codec_tag = MKTAG('H', 'a', 'p', 'Y');
    if (avcodec_open2(decoder, codec, NULL) < 0) {
        die("cannot be opened", "hap decoder");
    }
    AVFrame *frame = decode_packet(decoder, packet, "hap packet");
    struct picture p = picture_from_frame(frame);
    av_frame_free(&frame);
    avcodec_free_context(&decoder);
    return p;
}

AVPacket *hap_packet(const uint8_t *blocks, size_t size)
{
    AVPacket *packet = need(av_packet_alloc());
    if (av_new_packet(packet, (int)size + 8) < 0) {
        die("out of memory", "packet");
    }
    const uint8_t header[8] = {0,
                               0,
                               0,
                               0xAF,
                               (uint8_t)size,
                               (uint8_t)(size >> 8),
                               (uint8_t)(size >> 16),
                               (uint8_t)(size >> 24)};
    memcpy(packet->data, header, 8);
    memcpy(packet->data + 8, blocks, size);
    return packet;
}

AVPacket *ffmpeg_encode(const struct picture *p, const char *format, const char *compressor)
{
    const AVCodec *codec = avcodec_find_encoder_by_name("hap");
    if (!codec || p->width % 4 || p->height % 4) {
        return NULL;
    }
    AVCodecContext *encoder = need(avcodec_alloc_context3(codec));
    encoder->width = p->width;
    encoder->height = p->height;
    encoder->pix_fmt = AV_PIX_FMT_RGBA;
    encoder->time_base = (AVRational){1, 25};
    av_opt_set(encoder->priv_data, "format", format, 0);
    av_opt_set(encoder->priv_data, "compressor", compressor, 0);
    AVFrame *frame = need(av_frame_alloc());
    frame->width = p->width;
    frame->height = p->height;
    frame->format = AV_PIX_FMT_RGBA;
    if (avcodec_open2(encoder, codec, NULL) < 0 || av_frame_get_buffer(frame, 0) < 0) {
        die("cannot be opened", "hap encoder");
    }
    for (int y = 0; y < p->height; y++) {
        for (int x = 0; x < p->width; x++) {
            uint8_t *to = frame->data[0] + y * frame->linesize[0] + 4 * x;
            memcpy(to, p->rgb + 3 * ((size_t)y * (size_t)p->width + (size_t)x), 3);
            to[3] = 255;
        }
    }
    AVPacket *packet = need(av_packet_alloc());
    if (avcodec_send_frame(encoder, frame) < 0 || avcodec_receive_packet(encoder, packet) < 0) {
        die("failed", "hap encoder");
    }
    av_frame_free(&frame);
    avcodec_free_context(&encoder);
    return packet;
}
