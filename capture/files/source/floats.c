// SPDX-License-Identifier: MIT
// Frames of floats.
#include "capture/files/source/floats.h"

#include <math.h>
#include <string.h>

#include <libavutil/pixdesc.h>

static const float limit = 65504; // of half floats; what is further off is clipped all the same

static const AVPixFmtDescriptor *format_of(const AVFrame *frame)
{
    return av_pix_fmt_desc_get((enum AVPixelFormat)frame->format);
}

bool weir_floats_hold(const AVFrame *frame)
{
    const AVPixFmtDescriptor *format = format_of(frame);
    return format && (format->flags & AV_PIX_FMT_FLAG_FLOAT) != 0;
}

bool weir_floats_are_plain(const AVFrame *frame)
{
    const AVPixFmtDescriptor *format = format_of(frame);
    const uint64_t big_endian = AV_NE(AV_PIX_FMT_FLAG_BE, 0);
    return weir_floats_hold(frame) && format->comp[0].depth == 32 &&
           (format->flags & AV_PIX_FMT_FLAG_BE) == big_endian;
}

static float read(const AVFrame *frame, const AVComponentDescriptor *at, int x, int y)
{
    float value;
    memcpy(&value,
           frame->data[at->plane] + (ptrdiff_t)y * frame->linesize[at->plane] +
               (ptrdiff_t)x * at->step + at->offset,
           sizeof(value));
    return fminf(fmaxf(value, -limit), limit);
}

void weir_floats_read(const AVFrame *frame, int x, int y, float rgba[4])
{
    const AVPixFmtDescriptor *format = format_of(frame);
    const int num = format->nb_components;
    for (int c = 0; c < 3; c++) {
        rgba[c] = read(frame, &format->comp[num >= 3 ? c : 0], x, y);
    }
    const bool has_alpha = (format->flags & AV_PIX_FMT_FLAG_ALPHA) != 0;
    rgba[3] = has_alpha ? read(frame, &format->comp[num - 1], x, y) : 1;
}
