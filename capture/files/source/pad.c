// SPDX-License-Identifier: MIT
// Pad: a frame with room for all luma samples that share chroma.
#include "capture/files/source/pad.h"

#include <string.h>

#include <libavutil/imgutils.h>
#include <libavutil/pixdesc.h>

static int round_up(int side, int log2)
{
    return (side + (1 << log2) - 1) >> log2 << log2;
}

void weir_pad_sides(enum AVPixelFormat format, int *width, int *height)
{
    const AVPixFmtDescriptor *description = av_pix_fmt_desc_get(format);
    if (description) {
        *width = round_up(*width, description->log2_chroma_w);
        *height = round_up(*height, description->log2_chroma_h);
    }
}

int weir_pad_copy(AVFrame *padded, const AVFrame *frame)
{
    if (!padded->data[0]) {
        padded->format = frame->format;
        padded->width = frame->width;
        padded->height = frame->height;
        weir_pad_sides((enum AVPixelFormat)frame->format, &padded->width, &padded->height);
        const int error = av_frame_get_buffer(padded, 0);
        if (error < 0) {
            return error;
        }
        for (int i = 0; i < AV_NUM_DATA_POINTERS && padded->buf[i]; i++) {
            memset(padded->buf[i]->data, 0, padded->buf[i]->size);
        }
    }
    const uint8_t *planes[4];
    memcpy(planes, frame->data, sizeof(planes));
    av_image_copy(padded->data, padded->linesize, planes, frame->linesize,
                  (enum AVPixelFormat)frame->format, frame->width, frame->height);
    return 0;
}
