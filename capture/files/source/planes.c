// SPDX-License-Identifier: MIT
// Planes: swscale makes RGB of YUV in a third of the time where R, G and B are planes of their own,
// and of 16 bits in a sixth of it.
#include "capture/files/source/scale.h"

#include <stdbool.h>
#include <string.h>

#include <libavutil/common.h>
#include <libavutil/imgutils.h>
#include <libavutil/pixdesc.h>

#include "capture/files/source/source.h"

// Both WEIR_SOURCE_ALIGNMENT and the padding of planes hold whole groups.
enum { GROUP_OF_8_BITS = 16, GROUP_OF_16_BITS = 8 };

enum AVPixelFormat weir_planes_between(enum AVPixelFormat from, enum AVPixelFormat to)
{
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get(from);
    const bool is_yuv = format && (format->flags & AV_PIX_FMT_FLAG_RGB) == 0 &&
                        format->nb_components > 2;
    if (!is_yuv) {
        return AV_PIX_FMT_NONE;
    }
    const bool has_alpha = (format->flags & AV_PIX_FMT_FLAG_ALPHA) != 0;
    switch (to) {
    case AV_PIX_FMT_RGBA:
        return has_alpha ? AV_PIX_FMT_GBRAP : AV_PIX_FMT_GBRP;
    case AV_PIX_FMT_RGBA64:
        return has_alpha ? AV_PIX_FMT_GBRAP16 : AV_PIX_FMT_GBRP16;
    default:
        return AV_PIX_FMT_NONE;
    }
}

int weir_frame_allocate(AVFrame *frame, enum AVPixelFormat format, int width, int height)
{
    frame->format = format;
    frame->width = width;
    frame->height = height;
    return av_frame_get_buffer(frame, WEIR_SOURCE_ALIGNMENT);
}

float *weir_float_row(const AVFrame *frame, int channel, int y)
{
    static const int planes[4] = {2, 0, 1, 3}; // of R, G, B and A in GBRA
    return (float *)(void *)(frame->data[planes[channel]] +
                             (ptrdiff_t)y * frame->linesize[planes[channel]]);
}

static const uint8_t opaque[GROUP_OF_8_BITS] = {255, 255, 255, 255, 255, 255, 255, 255,
                                                255, 255, 255, 255, 255, 255, 255, 255};
static const uint16_t opaque_16[GROUP_OF_16_BITS] = {
    UINT16_MAX, UINT16_MAX, UINT16_MAX, UINT16_MAX, UINT16_MAX, UINT16_MAX, UINT16_MAX, UINT16_MAX};

// A group has a fixed length and texels are whole numbers, so that compilers make vectors of it.
static void interleave(const uint8_t *restrict r, const uint8_t *restrict g,
                       const uint8_t *restrict b, const uint8_t *restrict a,
                       uint8_t *restrict texels)
{
    uint32_t values[GROUP_OF_8_BITS];
    for (int i = 0; i < GROUP_OF_8_BITS; i++) {
        values[i] = (uint32_t)r[i] << AV_NE(24, 0) | (uint32_t)g[i] << AV_NE(16, 8) |
                    (uint32_t)b[i] << AV_NE(8, 16) | (uint32_t)a[i] << AV_NE(0, 24);
    }
    memcpy(texels, values, sizeof(values));
}

static void interleave_16(const uint16_t *restrict r, const uint16_t *restrict g,
                          const uint16_t *restrict b, const uint16_t *restrict a,
                          const struct weir_scaler_gain *gain, uint8_t *restrict texels)
{
    uint64_t values[GROUP_OF_16_BITS];
    for (int i = 0; i < GROUP_OF_16_BITS; i++) {
        const uint32_t red = weir_scaler_amplify(r[i], gain->color),
                       green = weir_scaler_amplify(g[i], gain->color);
        const uint32_t blue = weir_scaler_amplify(b[i], gain->color),
                       alpha = weir_scaler_amplify(a[i], gain->alpha);
        values[i] = (uint64_t)red << AV_NE(48, 0) | (uint64_t)green << AV_NE(32, 16) |
                    (uint64_t)blue << AV_NE(16, 32) | (uint64_t)alpha << AV_NE(0, 48);
    }
    memcpy(texels, values, sizeof(values));
}

static void interleave_row(const uint8_t *const planes[4], uint32_t width, uint8_t *texels)
{
    for (size_t x = 0; x < width; x += GROUP_OF_8_BITS) {
        interleave(planes[2] + x, planes[0] + x, planes[1] + x, planes[3] ? planes[3] + x : opaque,
                   texels + 4 * x);
    }
}

static void interleave_row_16(const uint8_t *const planes[4], const struct weir_scaler_gain *gain,
                              uint32_t width, uint8_t *texels)
{
    const uint16_t *values[4];
    for (int i = 0; i < 4; i++) {
        values[i] = (const uint16_t *)(const void *)planes[i];
    }
    for (size_t x = 0; x < width; x += GROUP_OF_16_BITS) {
        interleave_16(values[2] + x, values[0] + x, values[1] + x,
                      values[3] ? values[3] + x : opaque_16, gain, texels + 8 * x);
    }
}

void weir_planes_interleave(const AVFrame *planes, const struct weir_scaler_gain *gain,
                            const struct weir_rows *rows)
{
    const bool is_deep = planes->format == AV_PIX_FMT_GBRP16 ||
                         planes->format == AV_PIX_FMT_GBRAP16;
    for (uint32_t y = 0; y < rows->height; y++) {
        const uint8_t *values[4] = {NULL};
        for (int i = 0; i < 4 && planes->data[i]; i++) {
            values[i] = planes->data[i] + (ptrdiff_t)y * planes->linesize[i];
        }
        uint8_t *texels = rows->pixels + y * rows->pitch;
        if (is_deep) {
            interleave_row_16(values, gain, rows->width, texels);
        } else {
            interleave_row(values, rows->width, texels);
        }
    }
}

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
        const enum AVPixelFormat format = (enum AVPixelFormat)frame->format;
        int width = frame->width, height = frame->height;
        weir_pad_sides(format, &width, &height);
        const int error = weir_frame_allocate(padded, format, width, height);
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

// `max` is the largest code, and a constant where these are called, so that it divides fast.
static inline uint32_t multiply(uint32_t code, uint32_t alpha, uint32_t max)
{
    return (uint32_t)((2 * (uint64_t)code * alpha + max) / (2 * (uint64_t)max));
}

static inline uint32_t divide(uint32_t code, uint32_t alpha, uint32_t max)
{
    if (alpha == 0) {
        return code;
    }
    return code < alpha ? (uint32_t)((2 * (uint64_t)code * max + alpha) / (2 * (uint64_t)alpha))
                        : max;
}

static void map_8(uint8_t *texel, uint32_t width, bool divides)
{
    for (uint32_t x = 0; x < width; x++, texel += 4) {
        const uint8_t alpha = texel[3];
        for (int c = 0; c < 3 && alpha < UINT8_MAX; c++) {
            texel[c] = (uint8_t)(divides ? divide(texel[c], alpha, UINT8_MAX)
                                         : multiply(texel[c], alpha, UINT8_MAX));
        }
    }
}

static void map_16(uint16_t *texel, uint32_t width, bool divides)
{
    for (uint32_t x = 0; x < width; x++, texel += 4) {
        const uint16_t alpha = texel[3];
        for (int c = 0; c < 3 && alpha < UINT16_MAX; c++) {
            texel[c] = (uint16_t)(divides ? divide(texel[c], alpha, UINT16_MAX)
                                          : multiply(texel[c], alpha, UINT16_MAX));
        }
    }
}

static void map(const struct weir_rows *rows, bool divides)
{
    for (uint32_t y = 0; y < rows->height; y++) {
        uint8_t *row = rows->pixels + y * rows->pitch;
        if (rows->texel_size == 4) {
            map_8(row, rows->width, divides);
        } else {
            map_16((uint16_t *)(void *)row, rows->width, divides);
        }
    }
}

void weir_alpha_multiply(const struct weir_rows *rows)
{
    map(rows, false);
}

void weir_alpha_divide(const struct weir_rows *rows)
{
    map(rows, true);
}
