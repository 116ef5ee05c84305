// SPDX-License-Identifier: MIT
// swscale: a decoded frame of any size and pixel format becomes rows of RGBA.
#include "capture/files/source/scale.h"

#include <stdbool.h>
#include <string.h>

#include <libavutil/buffer.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>

#include "capture/files/source/memory.h"
#include "capture/files/source/planes.h"
#include "capture/files/source/white.h"

enum { VIDEO_HD_WIDTH = 1280, VIDEO_HD_HEIGHT = 720 };

enum weir_result weir_scale_init(struct weir_scale *scale, const char *path,
                                 enum AVPixelFormat format, const struct weir_log *log)
{
    *scale = (struct weir_scale){.path = path, .log = log, .format = format};
    scale->target = av_frame_alloc();
    scale->planes = av_frame_alloc();
    return scale->target && scale->planes ? WEIR_OK : WEIR_ERROR_OUT_OF_MEMORY;
}

void weir_scale_finish(struct weir_scale *scale)
{
    sws_freeContext(scale->scaler);
    av_frame_free(&scale->target);
    av_frame_free(&scale->planes);
    *scale = (struct weir_scale){0};
}

// The J formats are the plain ones with a full range, and swscale complains about them.
static enum AVPixelFormat plain_format(enum AVPixelFormat format, bool *full_range)
{
    static const enum AVPixelFormat pairs[][2] = {
        {AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUV420P}, {AV_PIX_FMT_YUVJ411P, AV_PIX_FMT_YUV411P},
        {AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUV422P}, {AV_PIX_FMT_YUVJ440P, AV_PIX_FMT_YUV440P},
        {AV_PIX_FMT_YUVJ444P, AV_PIX_FMT_YUV444P},
    };
    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
        if (format == pairs[i][0]) {
            *full_range = true;
            return pairs[i][1];
        }
    }
    return format;
}

static int matrix_of(const AVFrame *frame)
{
    switch (frame->colorspace) {
    case AVCOL_SPC_BT709:
        return SWS_CS_ITU709;
    case AVCOL_SPC_FCC:
        return SWS_CS_FCC;
    case AVCOL_SPC_BT470BG:
    case AVCOL_SPC_SMPTE170M:
        return SWS_CS_ITU601;
    case AVCOL_SPC_SMPTE240M:
        return SWS_CS_SMPTE240M;
    case AVCOL_SPC_BT2020_NCL:
    case AVCOL_SPC_BT2020_CL:
        return SWS_CS_BT2020;
    default:
        return frame->width >= VIDEO_HD_WIDTH || frame->height >= VIDEO_HD_HEIGHT ? SWS_CS_ITU709
                                                                                  : SWS_CS_ITU601;
    }
}

struct weir_scale_coding weir_scale_coding_of(const AVFrame *frame)
{
    struct weir_scale_coding coding = {.full_range = frame->color_range == AVCOL_RANGE_JPEG};
    coding.format = plain_format((enum AVPixelFormat)frame->format, &coding.full_range);
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get(coding.format);
    coding.is_yuv = format && (format->flags & AV_PIX_FMT_FLAG_RGB) == 0 &&
                    format->nb_components > 2;
    // JPEG is BT.601 whatever its size (JFIF 1.02), grey has no matrix, pictures are full range.
    coding.space = coding.is_yuv && coding.full_range && frame->colorspace == AVCOL_SPC_UNSPECIFIED
                       ? SWS_CS_ITU601
                       : matrix_of(frame);
    coding.full_range = coding.full_range ||
                        (!coding.is_yuv && frame->color_range != AVCOL_RANGE_MPEG);
    return coding;
}

static struct weir_scale_key key_of(const struct weir_scale *scale, const AVFrame *frame,
                                    uint32_t width, uint32_t height)
{
    const struct weir_scale_coding coding = weir_scale_coding_of(frame);
    const bool is_widened = scale->widens && weir_memory_value_size(coding.format) == 1;
    return (struct weir_scale_key){
        .width = frame->width,
        .height = frame->height,
        .format = coding.format,
        .space = coding.space,
        .full_range = coding.full_range,
        .new_width = (int)width,
        .new_height = (int)height,
        .new_format = is_widened ? AV_PIX_FMT_RGBA : scale->format,
    };
}

static enum weir_result refuse(const struct weir_scale *scale, const struct weir_scale_key *key)
{
    const char *name = av_get_pix_fmt_name((enum AVPixelFormat)key->format);
    weir_log_printf(scale->log, WEIR_LOG_ERROR, WEIR_LOG_CODE_READ_FAILED,
                    "%s: cannot turn %dx%d %s into %dx%d RGBA; convert it with ffmpeg first",
                    scale->path, key->width, key->height, name ? name : "pixels", key->new_width,
                    key->new_height);
    return WEIR_ERROR_UNSUPPORTED;
}

static enum weir_result out_of_memory(const struct weir_scale *scale)
{
    weir_log_printf(scale->log, WEIR_LOG_ERROR, WEIR_LOG_CODE_OUT_OF_MEMORY,
                    "%s: no memory is left to convert it", scale->path);
    return WEIR_ERROR_OUT_OF_MEMORY;
}

// Make a scaler to `format` with so many threads, 0 for one a core. Returns an AVERROR if it cannot
// be made.
static int init_scaler(const struct weir_scale_key *key, enum AVPixelFormat format, int num_threads,
                       struct SwsContext **out)
{
    *out = sws_alloc_context();
    if (!*out) {
        return AVERROR(ENOMEM);
    }
    const bool same_size = key->width == key->new_width && key->height == key->new_height;
    const int flags = (same_size ? SWS_BICUBIC : SWS_LANCZOS) | SWS_ACCURATE_RND |
                      SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP;
    av_opt_set_int(*out, "srcw", key->width, 0);
    av_opt_set_int(*out, "srch", key->height, 0);
    av_opt_set_int(*out, "src_format", key->format, 0);
    av_opt_set_int(*out, "src_range", key->full_range, 0);
    av_opt_set_int(*out, "dstw", key->new_width, 0);
    av_opt_set_int(*out, "dsth", key->new_height, 0);
    av_opt_set_int(*out, "dst_format", format, 0);
    av_opt_set_int(*out, "dst_range", 1, 0);
    av_opt_set_int(*out, "sws_flags", flags, 0);
    av_opt_set_int(*out, "threads", num_threads, 0);
    const int error = sws_init_context(*out, NULL, NULL);
    if (error < 0) {
        sws_freeContext(*out);
        *out = NULL;
    }
    return error;
}

static int open_scaler(const struct weir_scale_key *key, enum AVPixelFormat format, int num_threads,
                       struct SwsContext **out)
{
    const int error = init_scaler(key, format, num_threads, out);
    const int *matrix = sws_getCoefficients(key->space);
    if (error >= 0) {
        sws_setColorspaceDetails(*out, matrix, key->full_range, matrix, 1, 0, 1 << 16, 1 << 16);
    }
    return error;
}

enum { PROBE_SIDE = 16, LEAST_WHITE = 0xf000 };

static uint32_t gain_of(uint16_t white)
{
    return white < LEAST_WHITE ? 1 << 16
                               : (uint32_t)(((UINT64_C(0xffff) << 16) + white / 2) / white);
}

// Set the gains by what swscale makes of white. Formats without a white that is known, such as
// monowhite, are left as they are: they have 8 bits at most.
static int measure_white(struct weir_scale *scale, const struct weir_scale_key *key)
{
    const bool same_size = key->width == key->new_width && key->height == key->new_height;
    struct weir_scale_key probe = *key;
    struct SwsContext *scaler = NULL;
    AVFrame *white = weir_white_frame((enum AVPixelFormat)key->format, key->full_range, PROBE_SIDE);
    AVFrame *rows = av_frame_alloc();
    probe.width = probe.height = PROBE_SIDE;
    probe.new_width = probe.new_height = same_size ? PROBE_SIDE : PROBE_SIDE / 2;
    scale->gain = scale->alpha_gain = 1 << 16;
    int error = rows ? 0 : AVERROR(ENOMEM);
    if (white && error >= 0) {
        rows->format = AV_PIX_FMT_RGBA64;
        rows->width = rows->height = probe.new_width;
        error = av_frame_get_buffer(rows, 0);
    }
    if (white && error >= 0) {
        error = open_scaler(&probe, AV_PIX_FMT_RGBA64, 1, &scaler);
    }
    if (scaler && sws_scale_frame(scaler, rows, white) >= 0) {
        uint16_t texel[4];
        memcpy(texel,
               rows->data[0] + PROBE_SIDE / 4 * (rows->linesize[0] + (ptrdiff_t)sizeof(texel)),
               sizeof(texel));
        scale->gain = gain_of(texel[0]);
        scale->alpha_gain = gain_of(texel[3]);
    }
    sws_freeContext(scaler);
    av_frame_free(&rows);
    av_frame_free(&white);
    return error == AVERROR(ENOMEM) ? error : 0;
}

// Make the scaler, and the planes if it goes through them.
static int init(struct weir_scale *scale, const struct weir_scale_key *key)
{
    const enum AVPixelFormat rows = (enum AVPixelFormat)key->new_format;
    const enum AVPixelFormat between = weir_planes_between((enum AVPixelFormat)key->format, rows);
    const enum AVPixelFormat format = between == AV_PIX_FMT_NONE ? rows : between;
    sws_freeContext(scale->scaler);
    av_frame_unref(scale->planes);
    int error = open_scaler(key, format, 0, &scale->scaler);
    if (error < 0 && error != AVERROR(ENOMEM)) { // the system may give no threads
        error = open_scaler(key, format, 1, &scale->scaler);
    }
    if (error >= 0 && between != AV_PIX_FMT_NONE) {
        error = weir_planes_init(scale->planes, between, key->new_width, key->new_height);
    }
    return error >= 0 && rows == AV_PIX_FMT_RGBA64 ? measure_white(scale, key) : error;
}

static enum weir_result make_scaler(struct weir_scale *scale, const struct weir_scale_key *key)
{
    scale->key = (struct weir_scale_key){0}; // should this one fail
    const int error = init(scale, key);
    if (error < 0) {
        return error == AVERROR(ENOMEM) ? out_of_memory(scale) : refuse(scale, key);
    }
    scale->key = *key;
    return WEIR_OK;
}

static uint16_t amplify(uint16_t code, uint32_t gain)
{
    const uint32_t value = (uint32_t)(((uint64_t)code * gain + 0x8000) >> 16);
    return value < UINT16_MAX ? (uint16_t)value : UINT16_MAX;
}

static void amplify_rows(const struct weir_scale *scale, uint8_t *pixels, size_t pitch)
{
    const struct weir_scale_key *key = &scale->key;
    const uint32_t gains[4] = {scale->gain, scale->gain, scale->gain, scale->alpha_gain};
    for (int y = 0; y < key->new_height; y++) {
        uint16_t *row = (uint16_t *)(void *)(pixels + (size_t)y * pitch);
        for (int i = 0; i < 4 * key->new_width; i++) {
            row[i] = amplify(row[i], gains[i % 4]);
        }
    }
}

// Rows of 8 bits become rows of 16 in their place, from their ends on.
static void widen_rows(const struct weir_scale_key *key, uint8_t *pixels, size_t pitch)
{
    for (int y = 0; y < key->new_height; y++) {
        uint8_t *row = pixels + (size_t)y * pitch;
        for (int i = 4 * key->new_width - 1; i >= 0; i--) {
            const uint16_t wide = (uint16_t)(257 * row[i]);
            memcpy(row + 2 * (size_t)i, &wide, sizeof(wide));
        }
    }
}

// Free nothing: the pixels belong to the caller of weir_scale_run().
static void keep(void *opaque, uint8_t *data)
{
    (void)opaque;
    (void)data;
}

// Run the scaler into the rows themselves.
static int scale_rows(struct weir_scale *scale, const AVFrame *source, uint8_t *pixels,
                      size_t pitch)
{
    AVFrame *target = scale->target;
    target->format = scale->key.new_format;
    target->width = scale->key.new_width;
    target->height = scale->key.new_height;
    target->data[0] = pixels;
    target->linesize[0] = (int)pitch;
    target->buf[0] = av_buffer_create(pixels, pitch * (size_t)target->height, keep, NULL, 0);
    const int error = target->buf[0] ? sws_scale_frame(scale->scaler, target, source)
                                     : AVERROR(ENOMEM);
    av_frame_unref(target);
    return error;
}

static int scale_planes(struct weir_scale *scale, const AVFrame *source, uint8_t *pixels,
                        size_t pitch)
{
    const int error = sws_scale_frame(scale->scaler, scale->planes, source);
    if (error >= 0) {
        weir_planes_interleave(scale->planes, pixels, pitch);
    }
    return error;
}

enum weir_result weir_scale_run(struct weir_scale *scale, const AVFrame *frame, uint32_t width,
                                uint32_t height, uint8_t *pixels, size_t pitch)
{
    const struct weir_scale_key key = key_of(scale, frame, width, height);
    if (!scale->scaler || memcmp(&key, &scale->key, sizeof(key)) != 0) {
        const enum weir_result result = make_scaler(scale, &key);
        if (result != WEIR_OK) {
            return result;
        }
    }
    AVFrame *source = av_frame_clone(frame); // shares the pixels
    int error = AVERROR(ENOMEM);
    if (source) {
        source->format = key.format;
        error = scale->planes->data[0] ? scale_planes(scale, source, pixels, pitch)
                                       : scale_rows(scale, source, pixels, pitch);
    }
    av_frame_free(&source);
    if (error < 0 && error != AVERROR(ENOMEM)) {
        return refuse(scale, &key); // a raw picture of a camera of one row, for instance
    }
    if (error < 0) {
        return out_of_memory(scale);
    }
    if (key.new_format != scale->format) {
        widen_rows(&key, pixels, pitch);
    } else if (scale->format == AV_PIX_FMT_RGBA64 &&
               (scale->gain != 1 << 16 || scale->alpha_gain != 1 << 16)) {
        amplify_rows(scale, pixels, pitch);
    }
    return WEIR_OK;
}
