// SPDX-License-Identifier: MIT
// Planes: swscale makes RGB of YUV in a third of the time where R, G and B are planes of their own.
#include "capture/files/source/planes.h"

#include <stdbool.h>
#include <string.h>

#include <libavutil/common.h>
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

static const uint8_t opaque[GROUP] = {255, 255, 255, 255, 255, 255, 255, 255,
                                      255, 255, 255, 255, 255, 255, 255, 255};

// A group has a fixed length and texels are whole numbers, so that compilers make vectors of it.
static void interleave(const uint8_t *restrict r, const uint8_t *restrict g,
                       const uint8_t *restrict b, const uint8_t *restrict a,
                       uint8_t *restrict texels)
{
    uint32_t values[GROUP];
    for (int i = 0; i < GROUP; i++) {
        values[i] = (uint32_t)r[i] << AV_NE(24, 0) | (uint32_t)g[i] << AV_NE(16, 8) |
                    (uint32_t)b[i] << AV_NE(8, 16) | (uint32_t)a[i] << AV_NE(0, 24);
    }
    memcpy(texels, values, sizeof(values));
}

void weir_planes_interleave(const AVFrame *planes, uint8_t *pixels, size_t pitch)
{
    const bool has_alpha = planes->data[3];
    for (int y = 0; y < planes->height; y++) {
        const uint8_t *rows[4] = {NULL};
        for (int i = 0; i < (has_alpha ? 4 : 3); i++) {
            rows[i] = planes->data[i] + y * (ptrdiff_t)planes->linesize[i];
        }
        uint8_t *texels = pixels + (size_t)y * pitch;
        for (int x = 0; x < planes->width; x += GROUP) {
            interleave(rows[2] + x, rows[0] + x, rows[1] + x, has_alpha ? rows[3] + x : opaque,
                       texels + 4 * (size_t)x);
        }
    }
}
