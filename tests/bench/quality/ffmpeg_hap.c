// SPDX-License-Identifier: MIT
// FFmpeg's encoder and decoder of HAP, for the bars of quality. Every failure ends the program.
#include "tests/bench/quality/ffmpeg_hap.h"

#include <string.h>

#include <libavutil/opt.h>

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
    AVFrame *frame = need(av_frame_alloc());
    if (avcodec_send_packet(decoder, packet) < 0 || avcodec_send_packet(decoder, NULL) < 0 ||
        avcodec_receive_frame(decoder, frame) < 0 || frame->format != AV_PIX_FMT_RGB0) {
        die("cannot be decoded", "hap packet");
    }
    struct picture p = picture_new(width, height);
    for (int i = 0; i < width * height; i++) {
        memcpy(p.rgb + 3 * i, frame->data[0] + i / width * frame->linesize[0] + 4 * (i % width), 3);
    }
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
    const uint32_t words[2] = {0xAF000000u, (uint32_t)size}; // little endian
    memcpy(packet->data, words, sizeof(words));
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
