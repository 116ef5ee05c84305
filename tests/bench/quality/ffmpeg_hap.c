// SPDX-License-Identifier: MIT
// FFmpeg's encoder and decoder of HAP, for the bars of quality. Every failure ends the program.
#include "tests/bench/quality/quality.h"

#include <stdlib.h>
#include <string.h>

#include <libavutil/opt.h>

uint8_t *hap_decode(const AVPacket *packet, uint32_t width, uint32_t height)
{
    const AVCodec *codec = avcodec_find_decoder(AV_CODEC_ID_HAP);
    if (!codec) {
        die("not in this libavcodec", "hap decoder");
    }
    AVCodecContext *decoder = need(avcodec_alloc_context3(codec));
    decoder->width = (int)width;
    decoder->height = (int)height;
    decoder->codec_tag = MKTAG('H', 'a', 'p', 'Y');
    if (avcodec_open2(decoder, codec, NULL) < 0) {
        die("cannot be opened", "hap decoder");
    }
    AVFrame *frame = need(av_frame_alloc());
    if (avcodec_send_packet(decoder, packet) < 0 || avcodec_send_packet(decoder, NULL) < 0 ||
        avcodec_receive_frame(decoder, frame) < 0 || frame->format != AV_PIX_FMT_RGB0) {
        die("cannot be decoded", "hap packet");
    }
    uint8_t *rgb = need(malloc((size_t)3 * width * height));
    for (uint32_t i = 0; i < width * height; i++) {
        const size_t row = i / width * (size_t)frame->linesize[0];
        memcpy(rgb + (size_t)3 * i, frame->data[0] + row + (size_t)4 * (i % width), 3);
    }
    av_frame_free(&frame);
    avcodec_free_context(&decoder);
    return rgb;
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

AVPacket *ffmpeg_encode(const struct weir_picture *picture, const char *format)
{
    const AVCodec *codec = avcodec_find_encoder_by_name("hap");
    if (!codec || picture->width % 4 || picture->height % 4) {
        return NULL;
    }
    AVCodecContext *encoder = need(avcodec_alloc_context3(codec));
    encoder->width = (int)picture->width;
    encoder->height = (int)picture->height;
    encoder->pix_fmt = AV_PIX_FMT_RGBA;
    encoder->time_base = (AVRational){1, 25};
    av_opt_set(encoder->priv_data, "format", format, 0);
    av_opt_set(encoder->priv_data, "compressor", "none", 0);
    AVFrame *frame = need(av_frame_alloc());
    frame->width = (int)picture->width;
    frame->height = (int)picture->height;
    frame->format = AV_PIX_FMT_RGBA;
    if (avcodec_open2(encoder, codec, NULL) < 0 || av_frame_get_buffer(frame, 0) < 0) {
        die("cannot be opened", "hap encoder");
    }
    for (uint32_t y = 0; y < picture->height; y++) {
        memcpy(frame->data[0] + y * (size_t)frame->linesize[0],
               picture->texels + y * picture->pitch, (size_t)4 * picture->width);
    }
    AVPacket *packet = need(av_packet_alloc());
    if (avcodec_send_frame(encoder, frame) < 0 || avcodec_receive_packet(encoder, packet) < 0) {
        die("failed", "hap encoder");
    }
    av_frame_free(&frame);
    avcodec_free_context(&encoder);
    return packet;
}
