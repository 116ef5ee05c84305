// SPDX-License-Identifier: MIT
// YCgCo: green and orange beside luma. swscale knows matrices only in which red has no part of Cb,
// and blue none of Cr. So it brings chroma to full resolution, and RGB is made of that here.
//
// Source: ITU-T H.273, MatrixCoefficients 8 (equations 38 to 40 and 67 to 69).
#include "capture/files/source/scale.h"

#include <math.h>
#include <string.h>

#include <libavutil/pixdesc.h>

void weir_ycgco_finish(struct weir_ycgco *ycgco)
{
    sws_freeContext(ycgco->scaler);
    av_frame_free(&ycgco->padded);
    av_frame_free(&ycgco->planes);
    av_frame_free(&ycgco->rgb);
    *ycgco = (struct weir_ycgco){0};
}

// Ranges stay as they are, so the scaler only shifts codes to 16 bits.
static struct weir_scaler_key key_of(const AVFrame *frame)
{
    const struct weir_scale_coding coding = weir_scale_coding_of(frame);
    struct weir_scaler_key key = {.width = frame->width,
                                  .height = frame->height,
                                  .format = coding.format,
                                  .space = SWS_CS_ITU601,
                                  .keeps_range = true,
                                  .location = (int)coding.location,
                                  .num_fields = 1};
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get(coding.format);
    weir_pad_sides(coding.format, &key.width, &key.height);
    key.new_width = key.width;
    key.new_height = key.height;
    key.new_format = (format->flags & AV_PIX_FMT_FLAG_ALPHA) != 0 ? AV_PIX_FMT_YUVA444P16
                                                                  : AV_PIX_FMT_YUV444P16;
    return key;
}

static int init(struct weir_ycgco *ycgco, const AVFrame *frame, const struct weir_scaler_key *key)
{
    const enum AVPixelFormat between = (enum AVPixelFormat)key->new_format;
    const bool is_deep = av_pix_fmt_desc_get((enum AVPixelFormat)key->format)->comp[0].depth > 8;
    const bool has_alpha = between == AV_PIX_FMT_YUVA444P16;
    weir_ycgco_finish(ycgco);
    ycgco->padded = av_frame_alloc();
    ycgco->planes = av_frame_alloc();
    ycgco->rgb = av_frame_alloc();
    int error = ycgco->padded && ycgco->planes && ycgco->rgb
                    ? weir_scaler_open(key, between, WEIR_SITING_FRAME, true, &ycgco->scaler)
                    : AVERROR(ENOMEM);
    if (error >= 0) {
        error = weir_frame_allocate(ycgco->planes, between, key->width, key->height);
    }
    if (error >= 0) {
        error = weir_frame_allocate(ycgco->rgb,
                                    is_deep     ? has_alpha ? AV_PIX_FMT_GBRAP16 : AV_PIX_FMT_GBRP16
                                    : has_alpha ? AV_PIX_FMT_GBRAP
                                                : AV_PIX_FMT_GBRP,
                                    frame->width, frame->height);
    }
    ycgco->key = error >= 0 ? *key : (struct weir_scaler_key){0};
    return error;
}

static const uint16_t *row_of(const AVFrame *planes, int plane, int y)
{
    return (const uint16_t *)(void *)(planes->data[plane] + (ptrdiff_t)y * planes->linesize[plane]);
}

static void write(const AVFrame *rgb, int plane, int x, int y, float value, bool is_deep)
{
    uint8_t *row = rgb->data[plane] + (ptrdiff_t)y * rgb->linesize[plane];
    const float code = fminf(fmaxf(value, 0), 1) * (is_deep ? UINT16_MAX : UINT8_MAX);
    if (is_deep) {
        ((uint16_t *)(void *)row)[x] = (uint16_t)(code + 0.5f);
    } else {
        row[x] = (uint8_t)(code + 0.5f);
    }
}

// `depth`: of the codes, which are the upper bits of 16.
static void fill(const struct weir_ycgco *ycgco, int depth, bool full_range)
{
    const AVFrame *planes = ycgco->planes, *rgb = ycgco->rgb;
    const bool is_deep = depth > 8, has_alpha = planes->data[3];
    const float most = (float)(((1u << depth) - 1) << (16 - depth));
    const float black = full_range ? 0 : 16 << 8;
    const float luma = full_range ? most : 219 << 8, chroma = full_range ? most : 224 << 8;
    for (int y = 0; y < rgb->height; y++) {
        const uint16_t *ys = row_of(planes, 0, y), *greens = row_of(planes, 1, y);
        const uint16_t *oranges = row_of(planes, 2, y);
        for (int x = 0; x < rgb->width; x++) {
            const float light = ((float)ys[x] - black) / luma;
            const float green = ((float)greens[x] - 0x8000) / chroma;
            const float orange = ((float)oranges[x] - 0x8000) / chroma;
            write(rgb, 0, x, y, light + green, is_deep);
            write(rgb, 1, x, y, light - green - orange, is_deep);
            write(rgb, 2, x, y, light - green + orange, is_deep);
            if (has_alpha) {
                const int code = row_of(planes, 3, y)[x] >> (16 - depth);
                write(rgb, 3, x, y, (float)code / (float)((1u << depth) - 1), is_deep);
            }
        }
    }
}

int weir_ycgco_run(struct weir_ycgco *ycgco, const AVFrame *frame, const AVFrame **rgb)
{
    const struct weir_scaler_key key = key_of(frame);
    const bool is_padded = frame->width != key.width || frame->height != key.height;
    int error = memcmp(&key, &ycgco->key, sizeof(key)) == 0 ? 0 : init(ycgco, frame, &key);
    AVFrame *source = error < 0 ? NULL : av_frame_clone(frame);
    if (source && is_padded) {
        error = weir_pad_copy(ycgco->padded, frame);
    }
    if (source && error >= 0) {
        source->format = key.format;
        error = sws_scale_frame(ycgco->scaler, ycgco->planes, is_padded ? ycgco->padded : source);
    } else if (error >= 0) {
        error = AVERROR(ENOMEM);
    }
    av_frame_free(&source);
    if (error < 0) {
        return error;
    }
    fill(ycgco, av_pix_fmt_desc_get((enum AVPixelFormat)key.format)->comp[0].depth,
         weir_scale_coding_of(frame).full_range);
    error = av_frame_copy_props(ycgco->rgb, frame);
    ycgco->rgb->colorspace = AVCOL_SPC_RGB;
    ycgco->rgb->color_range = AVCOL_RANGE_JPEG;
    *rgb = ycgco->rgb;
    return error;
}
