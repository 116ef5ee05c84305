// SPDX-License-Identifier: MIT
// Planes: swscale makes RGB of YUV in a third of the time where R, G and B are planes of their own.
#include "capture/files/source/planes.h"

#include <stdbool.h>

#include <libavutil/pixdesc.h>

#include "capture/files/source/source.h"

// Both WEIR_SOURCE_ALIGNMENT and the padding of planes hold whole groups.
enum { GROUP = 16 };

enum AVPixelFormat weir_planes_between(enum AVPixelFormat from, enum AVPixelFormat to)
{
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get(from);
    const bool is_yuv = format && (format->flags & AV_PIX_FMT_FLAG_RGB) == 0 &&
                        format->nb_components > 2;
    if (to != AV_PIX_FMT_RGBA || !is_yuv) {
        return AV_PIX_FMT_NONE;
    }
    return (format->flags & AV_PIX_FMT_FLAG_ALPHA) != 0 ? AV_PIX_FMT_GBRAP : AV_PIX_FMT_GBRP;
}

int weir_planes_init(AVFrame *planes, enum AVPixelFormat format, int width, int height)
{
    planes->format = format;
    planes->width = width;
    planes->height = height;
    return av_frame_get_buffer(planes, WEIR_SOURCE_ALIGNMENT);
}

// A group has a fixed length, so that compilers make vectors of it.
static void interleave(const uint8_t *restrict r, const uint8_t *restrict g,
                       const uint8_t *restrict b, uint8_t *restrict texels)
{
    for (int i = 0; i < GROUP; i++) {
        texels[4 * i] = r[i];
        texels[4 * i + 1] = g[i];
        texels[4 * i + 2] = b[i];
        texels[4 * i + 3] = UINT8_MAX;
    }
}

static void set_alpha(const uint8_t *restrict alpha, uint8_t *restrict texels)
{
    for (int i = 0; i < GROUP; i++) {
        texels[4 * i + 3] = alpha[i];
    }
}

void weir_planes_interleave(const AVFrame *planes, uint8_t *pixels, size_t pitch)
{
    for (int y = 0; y < planes->height; y++) {
        const uint8_t *rows[4];
        for (int i = 0; i < 4; i++) {
            rows[i] = planes->data[i] ? planes->data[i] + y * (ptrdiff_t)planes->linesize[i] : NULL;
        }
        uint8_t *texels = pixels + (size_t)y * pitch;
        for (int x = 0; x < planes->width; x += GROUP) {
            interleave(rows[2] + x, rows[0] + x, rows[1] + x, texels + 4 * (size_t)x);
            if (rows[3]) {
                set_alpha(rows[3] + x, texels + 4 * (size_t)x);
            }
        }
    }
}
