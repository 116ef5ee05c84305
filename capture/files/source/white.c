// SPDX-License-Identifier: MIT
// White: frames of the largest codes, by which a conversion is measured.
#include "capture/files/source/scaler.h"

#include <stdint.h>
#include <string.h>

#include <libavutil/pixdesc.h>

enum { MAX_SIDE = 64, WHITE_OF_8_BITS = 235 }; // of a limited range (ITU-R BT.601)

// Get the code that a component of white has; of floats its bits.
static uint32_t code_of(const AVPixFmtDescriptor *format, int component, bool full_range)
{
    const int depth = format->comp[component].depth;
    const bool is_alpha = (format->flags & AV_PIX_FMT_FLAG_ALPHA) != 0 &&
                          component == format->nb_components - 1;
    const bool is_rgb = (format->flags & AV_PIX_FMT_FLAG_RGB) != 0;
    if ((format->flags & AV_PIX_FMT_FLAG_FLOAT) != 0) {
        return depth == 32 ? 0x3f800000 : 0x3c00;
    }
    if (!is_rgb && format->nb_components > 2 && (component == 1 || component == 2)) {
        return 1u << (depth - 1);
    }
    if (!is_rgb && !is_alpha && !full_range && depth >= 8) {
        return (uint32_t)WHITE_OF_8_BITS << (depth - 8);
    }
    return (uint32_t)((UINT64_C(1) << depth) - 1);
}

static void fill(AVFrame *frame, const AVPixFmtDescriptor *format, bool full_range)
{
    uint32_t line[MAX_SIDE];
    for (int i = 0; i < format->nb_components; i++) {
        const bool is_chroma = (format->flags & AV_PIX_FMT_FLAG_RGB) == 0 &&
                               format->nb_components > 2 && (i == 1 || i == 2);
        const int width = frame->width >> (is_chroma ? format->log2_chroma_w : 0);
        const int height = frame->height >> (is_chroma ? format->log2_chroma_h : 0);
        for (int x = 0; x < width; x++) {
            line[x] = code_of(format, i, full_range);
        }
        for (int y = 0; y < height; y++) {
            av_write_image_line2(line, frame->data, frame->linesize, format, 0, y, i, width,
                                 sizeof(line[0]));
        }
    }
}

AVFrame *weir_white_frame(enum AVPixelFormat format, bool full_range, int side)
{
    const AVPixFmtDescriptor *description = av_pix_fmt_desc_get(format);
    const uint64_t whole = AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_BAYER;
    AVFrame *frame = av_frame_alloc();
    if (!frame || !description || side > MAX_SIDE ||
        (description->flags & AV_PIX_FMT_FLAG_HWACCEL) != 0) {
        av_frame_free(&frame);
        return NULL;
    }
    frame->format = format;
    frame->width = frame->height = side;
    if (av_frame_get_buffer(frame, 0) < 0) {
        av_frame_free(&frame);
        return NULL;
    }
    // Values are added to the bits that are there. Of a palette all bits are set, and its colours'.
    const bool is_whole = (description->flags & whole) != 0;
    for (int i = 0; i < AV_NUM_DATA_POINTERS && frame->buf[i]; i++) {
        memset(frame->buf[i]->data, is_whole ? 0xff : 0, frame->buf[i]->size);
    }
    if (!is_whole) {
        fill(frame, description, full_range);
    }
    return frame;
}
