// SPDX-License-Identifier: MIT
// In which order libavcodec hands over the rows of PFM files.
#include "capture/files/source/pfm.h"

#include <string.h>

#include <libavcodec/avcodec.h>

// 1x2 texels: 1 at the bottom, 0 at the top.
static const uint8_t file[] = "Pf\n1 2\n-1.0\n\0\0\x80\x3f\0\0\0";

static bool begins_with_bottom(AVCodecContext *decoder, AVPacket *packet, AVFrame *frame)
{
    if (avcodec_open2(decoder, NULL, NULL) < 0 || av_new_packet(packet, sizeof(file)) < 0) {
        return false;
    }
    memcpy(packet->data, file, sizeof(file));
    if (avcodec_send_packet(decoder, packet) < 0 || avcodec_receive_frame(decoder, frame) < 0) {
        return false;
    }
    float first;
    memcpy(&first, frame->data[0], sizeof(first));
    return first == 1;
}

bool weir_pfm_is_bottom_up(void)
{
    AVCodecContext *decoder = avcodec_alloc_context3(avcodec_find_decoder(AV_CODEC_ID_PFM));
    AVPacket *packet = av_packet_alloc();
    AVFrame *frame = av_frame_alloc();
    const bool is = decoder && packet && frame && begins_with_bottom(decoder, packet, frame);
    av_frame_free(&frame);
    av_packet_free(&packet);
    avcodec_free_context(&decoder);
    return is;
}
