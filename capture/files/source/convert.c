// SPDX-License-Identifier: MIT
// Conversion: a decoded frame of any size and pixel format becomes RGBA rows of one size.
#include "capture/files/source/convert.h"

#include <string.h>

#include <libavutil/buffer.h>
#include <libavutil/mem.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>

#include "capture/base/size.h"
#include "capture/files/source/rotate.h"
#include "capture/files/source/source.h"

enum { VIDEO_HD_WIDTH = 1280, VIDEO_HD_HEIGHT = 720 };

enum weir_result weir_convert_init(struct weir_convert *convert, const char *path, uint32_t width,
                                   uint32_t height, const struct weir_log *log)
{
    *convert = (struct weir_convert){
        .path = path, .log = log, .width = width, .height = height, .format = AV_PIX_FMT_RGBA};
    convert->target = av_frame_alloc();
    return convert->target ? WEIR_OK : WEIR_ERROR_OUT_OF_MEMORY;
}

void weir_convert_finish(struct weir_convert *convert)
{
    sws_freeContext(convert->scaler);
    av_frame_free(&convert->target);
    av_free(convert->unturned);
    *convert = (struct weir_convert){0};
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

// A movie that does not say its matrix is read as players do: BT.709 from 720p on, BT.601 below.
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

static struct weir_convert_key key_of(const AVFrame *frame, int turns)
{
    bool full_range = frame->color_range == AVCOL_RANGE_JPEG;
    enum AVPixelFormat format = plain_format((enum AVPixelFormat)frame->format, &full_range);
    const AVPixFmtDescriptor *description = av_pix_fmt_desc_get(format);
    bool yuv = description && (description->flags & AV_PIX_FMT_FLAG_RGB) == 0 &&
               description->nb_components > 2;
    int space = matrix_of(frame);
    // JPEG is BT.601 whatever its size (JFIF 1.02), grey has no matrix, pictures are full range.
    if (yuv && full_range && frame->colorspace == AVCOL_SPC_UNSPECIFIED) {
        space = SWS_CS_ITU601;
    }
    if (!yuv && frame->color_range != AVCOL_RANGE_MPEG) {
        full_range = true;
    }
    return (struct weir_convert_key){frame->width, frame->height, format, space, full_range, turns};
}

static void warn(const struct weir_convert *convert, bool *warned, const char *text)
{
    if (!*warned) {
        weir_log_printf(convert->log, WEIR_LOG_WARNING, WEIR_LOG_CODE_FALLBACK, "%s: %s",
                        convert->path, text);
    }
    *warned = true;
}

static void warn_of_losses(struct weir_convert *convert, const AVFrame *frame)
{
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get((enum AVPixelFormat)frame->format);
    if (format && (format->flags & AV_PIX_FMT_FLAG_ALPHA) != 0 &&
        frame->format != AV_PIX_FMT_PAL8) {
        warn(convert, &convert->warned_alpha, "its alpha is left out, as HAP Q is opaque");
    }
    if (frame->color_trc == AVCOL_TRC_SMPTE2084 || frame->color_trc == AVCOL_TRC_ARIB_STD_B67) {
        warn(
            convert, &convert->warned_light,
            "HDR (PQ or HLG) is not tone-mapped and looks grey; tone-map it first, with ffmpeg -vf "
            "zscale=t=linear,tonemap=hable,zscale=t=bt709");
    }
    const AVRational shape = frame->sample_aspect_ratio;
    if (shape.num > 0 && shape.den > 0 && shape.num != shape.den) {
        warn(convert, &convert->warned_shape,
             "its pixels are not square, and HAP players take them as square; give --size");
    }
}

// Get the size of the frame that swscale makes, before it is turned.
static void inner_size(const struct weir_convert *convert, int turns, int *width, int *height)
{
    *width = (int)(turns % 2 != 0 ? convert->height : convert->width);
    *height = (int)(turns % 2 != 0 ? convert->width : convert->height);
}

static enum weir_result refuse(const struct weir_convert *convert,
                               const struct weir_convert_key *key)
{
    int width, height;
    inner_size(convert, key->turns, &width, &height);
    const char *name = av_get_pix_fmt_name((enum AVPixelFormat)key->format);
    weir_log_printf(convert->log, WEIR_LOG_ERROR, WEIR_LOG_CODE_READ_FAILED,
                    "%s: cannot turn %dx%d %s into %dx%d RGBA; convert it with ffmpeg first",
                    convert->path, key->width, key->height, name ? name : "pixels", width, height);
    return WEIR_ERROR_UNSUPPORTED;
}

static enum weir_result make_scaler(struct weir_convert *convert,
                                    const struct weir_convert_key *key)
{
    sws_freeContext(convert->scaler);
    convert->scaler = NULL;
    struct SwsContext *scaler = sws_alloc_context();
    if (!scaler) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    int width, height;
    inner_size(convert, key->turns, &width, &height);
    bool same_size = key->width == width && key->height == height;
    int flags = (same_size ? SWS_BICUBIC : SWS_LANCZOS) | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT |
                SWS_FULL_CHR_H_INP;
    av_opt_set_int(scaler, "srcw", key->width, 0);
    av_opt_set_int(scaler, "srch", key->height, 0);
    av_opt_set_int(scaler, "src_format", key->format, 0);
    av_opt_set_int(scaler, "src_range", key->full_range, 0);
    av_opt_set_int(scaler, "dstw", width, 0);
    av_opt_set_int(scaler, "dsth", height, 0);
    av_opt_set_int(scaler, "dst_format", convert->format, 0);
    av_opt_set_int(scaler, "dst_range", 1, 0);
    av_opt_set_int(scaler, "sws_flags", flags, 0);
    av_opt_set_int(scaler, "threads", 0, 0); // one a core
    const int *matrix = sws_getCoefficients(key->space);
    if (sws_init_context(scaler, NULL, NULL) < 0) {
        sws_freeContext(scaler);
        return refuse(convert, key);
    }
    sws_setColorspaceDetails(scaler, matrix, key->full_range, matrix, 1, 0, 1 << 16, 1 << 16);
    convert->scaler = scaler;
    convert->key = *key;
    return WEIR_OK;
}

// Free nothing: the pixels belong to the caller of weir_convert_run().
static void keep(void *opaque, uint8_t *data)
{
    (void)opaque;
    (void)data;
}

static enum weir_result scale(struct weir_convert *convert, const AVFrame *frame, uint8_t *pixels,
                              size_t pitch)
{
    AVFrame *source = av_frame_clone(frame); // shares the pixels
    AVFrame *target = convert->target;
    target->format = convert->format;
    inner_size(convert, convert->key.turns, &target->width, &target->height);
    target->data[0] = pixels;
    target->linesize[0] = (int)pitch;
    target->buf[0] = av_buffer_create(pixels, pitch * (size_t)target->height, keep, NULL, 0);
    int error = AVERROR(ENOMEM);
    if (source && target->buf[0]) {
        source->format = convert->key.format;
        error = sws_scale_frame(convert->scaler, target, source);
    }
    av_frame_unref(target);
    av_frame_free(&source);
    if (error < 0 && error != AVERROR(ENOMEM)) {
        return refuse(convert, &convert->key); // a raw picture of a camera of one row, for instance
    }
    return error >= 0 ? WEIR_OK : WEIR_ERROR_OUT_OF_MEMORY;
}

static size_t aligned_pitch(int width)
{
    return weir_round_up((size_t)width * 4, WEIR_SOURCE_ALIGNMENT);
}

enum weir_result weir_convert_run(struct weir_convert *convert, const AVFrame *frame, int turns,
                                  uint8_t *pixels, size_t pitch)
{
    warn_of_losses(convert, frame);
    struct weir_convert_key key = key_of(frame, turns);
    if (!convert->scaler || memcmp(&key, &convert->key, sizeof(key)) != 0) {
        enum weir_result result = make_scaler(convert, &key);
        if (result != WEIR_OK) {
            return result;
        }
    }
    if (turns == 0) {
        return scale(convert, frame, pixels, pitch);
    }
    int width, height;
    inner_size(convert, turns, &width, &height);
    size_t inner_pitch = aligned_pitch(width);
    if (!convert->unturned) {
        // Enough for either orientation.
        size_t other = aligned_pitch(height) * (size_t)width, size = inner_pitch * (size_t)height;
        convert->unturned = av_malloc(size > other ? size : other);
    }
    if (!convert->unturned) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    enum weir_result result = scale(convert, frame, convert->unturned, inner_pitch);
    if (result == WEIR_OK) {
        weir_rotate(convert->unturned, inner_pitch, (uint32_t)width, (uint32_t)height, turns,
                    pixels, pitch);
    }
    return result;
}
