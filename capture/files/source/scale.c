// SPDX-License-Identifier: MIT
// A decoded frame of any size and pixel format becomes rows of RGBA. swscale scales, and unpacks
// what is rare.
#include "capture/files/source/scale.h"

#include <errno.h>
#include <string.h>

#include <libavutil/csp.h>
#include <libavutil/imgutils.h>
#include <libavutil/pixdesc.h>
#include <libavutil/version.h>
#include <libswscale/swscale.h>

#include "capture/files/source/reader.h"

enum { VIDEO_HD_WIDTH = 1280, VIDEO_HD_HEIGHT = 720 };

enum weir_result weir_scale_init(struct weir_scale *scale, const char *path,
                                 enum AVPixelFormat format, const struct weir_log *log)
{
    *scale = (struct weir_scale){.path = path, .log = log, .format = format};
    scale->unpacked = av_frame_alloc();
    scale->planes = av_frame_alloc();
    scale->scaled = av_frame_alloc();
    return scale->unpacked && scale->planes && scale->scaled ? WEIR_OK : WEIR_ERROR_OUT_OF_MEMORY;
}

void weir_scale_finish(struct weir_scale *scale)
{
    sws_freeContext(scale->unpacker);
    sws_freeContext(scale->scaler);
    av_frame_free(&scale->unpacked);
    av_frame_free(&scale->planes);
    av_frame_free(&scale->scaled);
    *scale = (struct weir_scale){0};
}

int weir_frame_allocate(AVFrame *frame, enum AVPixelFormat format, int width, int height)
{
    frame->format = format;
    frame->width = width;
    frame->height = height;
    return av_frame_get_buffer(frame, WEIR_SOURCE_ALIGNMENT);
}

int weir_frame_hold(AVFrame *frame, enum AVPixelFormat format, int width, int height)
{
    if (frame->data[0] && frame->format == format && frame->width == width &&
        frame->height == height) {
        return 0;
    }
    av_frame_unref(frame);
    return weir_frame_allocate(frame, format, width, height);
}

static const int planes_of_channels[4] = {2, 0, 1, 3}; // of R, G, B and A in GBRA

float *weir_float_row(const AVFrame *frame, int channel, int y)
{
    const int plane = planes_of_channels[channel];
    return (float *)(void *)(frame->data[plane] + (ptrdiff_t)y * frame->linesize[plane]);
}

// How codes are read.

const char *weir_matrix_name(enum AVColorSpace matrix)
{
    const char *name = av_color_space_name(matrix);
    return name ? name : "unknown";
}

bool weir_matrix_get(enum AVColorSpace matrix, double of_chroma[3][2])
{
    static const double of_ycgco[3][2] = {{-1, 1}, {1, 0}, {-1, -1}}; // H.273, equations 67 to 69
    const AVLumaCoefficients *parts = av_csp_luma_coeffs_from_avcsp(matrix);
    if (matrix == AVCOL_SPC_YCGCO) {
        memcpy(of_chroma, of_ycgco, sizeof(of_ycgco));
        return true;
    }
    if (!parts || matrix == AVCOL_SPC_RGB || matrix == AVCOL_SPC_BT2020_CL) {
        return false; // luma is made by no matrix
    }
    const double red = av_q2d(parts->cr), blue = av_q2d(parts->cb), green = 1 - red - blue;
    of_chroma[0][0] = of_chroma[2][1] = 0;
    of_chroma[0][1] = 2 - 2 * red;
    of_chroma[2][0] = 2 - 2 * blue;
    of_chroma[1][0] = -of_chroma[2][0] * blue / green;
    of_chroma[1][1] = -of_chroma[0][1] * red / green;
    return true;
}

bool weir_siting_is_interlaced(const AVFrame *frame)
{
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
    return (frame->flags & AV_FRAME_FLAG_INTERLACED) != 0;
#else
    return frame->interlaced_frame != 0;
#endif
}

// Where a frame does not say it: between four samples of luma in full range, which is JPEG's (JFIF
// 1.02), else at the left, as in MPEG-2 and later (ISO/IEC 13818-2, 6.1.1.8; ITU-T H.264 and H.265,
// annex E; H.273).
static enum AVChromaLocation location_of(const AVFrame *frame, bool full_range)
{
    const enum AVChromaLocation location = frame->chroma_location;
    const bool is_known = location > AVCHROMA_LOC_UNSPECIFIED && location < AVCHROMA_LOC_NB;
    return is_known ? location : full_range ? AVCHROMA_LOC_CENTER : AVCHROMA_LOC_LEFT;
}

// JPEG is BT.601 whatever its size (JFIF 1.02).
static enum AVColorSpace matrix_of(const AVFrame *frame, bool full_range)
{
    const enum AVColorSpace matrix = frame->colorspace;
    const bool is_large = frame->width >= VIDEO_HD_WIDTH || frame->height >= VIDEO_HD_HEIGHT;
    return matrix != AVCOL_SPC_UNSPECIFIED && matrix != AVCOL_SPC_RESERVED ? matrix
           : is_large && !full_range                                       ? AVCOL_SPC_BT709
                                                                           : AVCOL_SPC_SMPTE170M;
}

static bool is_xyz(const AVPixFmtDescriptor *format)
{
    return strncmp(format->name, "xyz", 3) == 0;
}

struct weir_scale_coding weir_scale_coding_of(const AVFrame *frame)
{
    struct weir_scale_coding coding = {.full_range = frame->color_range == AVCOL_RANGE_JPEG};
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get((enum AVPixelFormat)frame->format);
    if (format) {
        const uint64_t others = AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL;
        coding.is_yuv = (format->flags & others) == 0 && format->nb_components > 2 &&
                        !is_xyz(format);
        coding.full_range = coding.full_range || strncmp(format->name, "yuvj", 4) == 0;
    }
    coding.matrix = matrix_of(frame, coding.full_range);
    coding.location = location_of(frame, coding.full_range);
    coding.full_range = coding.full_range || // pictures are
                        (!coding.is_yuv && frame->color_range != AVCOL_RANGE_MPEG);
    return coding;
}

// Conversion.

static enum weir_result refuse(const struct weir_scale *scale, const AVFrame *frame,
                               const struct weir_rows *rows)
{
    const char *name = av_get_pix_fmt_name((enum AVPixelFormat)frame->format);
    const struct weir_scale_coding coding = weir_scale_coding_of(frame);
    double of_chroma[3][2];
    if (coding.is_yuv && !weir_matrix_get(coding.matrix, of_chroma)) {
        return weir_fail(scale->log, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_MISSING_FORMAT,
                         "%s: its colours have the matrix %s, which is not read; convert it with "
                         "ffmpeg first: -vf zscale=matrix=709",
                         scale->path, weir_matrix_name(coding.matrix));
    }
    return weir_fail(scale->log, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_READ_FAILED,
                     "%s: cannot turn %dx%d %s into %ux%u RGBA; convert it with ffmpeg first",
                     scale->path, frame->width, frame->height, name ? name : "pixels", rows->width,
                     rows->height);
}

// Run swscale. Returns an AVERROR. It does not say why it makes no context.
static int run_swscale(struct SwsContext **context, const AVFrame *from, enum AVPixelFormat input,
                       const AVFrame *to, enum AVPixelFormat output)
{
    errno = 0;
    *context = sws_getCachedContext(*context, from->width, from->height, input, to->width,
                                    to->height, output, SWS_LANCZOS | SWS_ACCURATE_RND, NULL, NULL,
                                    NULL);
    return *context ? sws_scale(*context, (const uint8_t *const *)from->data, from->linesize, 0,
                                from->height, to->data, to->linesize)
                    : AVERROR(errno == ENOMEM ? ENOMEM : ENOSYS);
}

// Get the format that swscale makes first of one whose codes do not lie one by one in memory, or of
// RGB of 8 bits, which it does fast; AV_PIX_FMT_NONE: it is read as it is.
static enum AVPixelFormat unpacked_format(enum AVPixelFormat from)
{
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get(from);
    const uint64_t flags = format->flags;
    const bool is_rgb = (flags & AV_PIX_FMT_FLAG_RGB) != 0;
    return (is_rgb && format->comp[0].depth == 8) ||
                   (flags & (AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_BAYER)) != 0
               ? AV_PIX_FMT_RGBA
           : format->comp[0].depth == 1 && !is_rgb ? AV_PIX_FMT_GRAY8 // which may be inverted
           : is_xyz(format)                        ? AV_PIX_FMT_RGB48
           : from == AV_PIX_FMT_UYYVYY411          ? AV_PIX_FMT_YUV411P
                                                   : AV_PIX_FMT_NONE;
}

// `rows` NULL: into scale->unpacked.
static int unpack(struct weir_scale *scale, const AVFrame *frame, enum AVPixelFormat format,
                  const struct weir_rows *rows)
{
    AVFrame *unpacked = scale->unpacked;
    av_frame_unref(unpacked);
    const int error = rows ? 0 : weir_frame_allocate(unpacked, format, frame->width, frame->height);
    if (rows) {
        unpacked->width = frame->width;
        unpacked->height = frame->height;
        unpacked->data[0] = rows->pixels;
        unpacked->linesize[0] = (int)rows->pitch;
    }
    unpacked->colorspace = frame->colorspace;
    unpacked->color_range = frame->color_range;
    unpacked->chroma_location = frame->chroma_location;
    return error < 0 ? error
                     : run_swscale(&scale->unpacker, frame, (enum AVPixelFormat)frame->format,
                                   unpacked, format);
}

// swscale scales channels of RGB as they are if it takes them for YUV.
static int resize(struct weir_scale *scale, const AVFrame *frame, uint32_t max,
                  const struct weir_rows *rows)
{
    static const enum AVPixelFormat formats[2][2][2] = {
        {{AV_PIX_FMT_GBRP, AV_PIX_FMT_YUV444P}, {AV_PIX_FMT_GBRAP, AV_PIX_FMT_YUVA444P}},
        {{AV_PIX_FMT_GBRP16, AV_PIX_FMT_YUV444P16}, {AV_PIX_FMT_GBRAP16, AV_PIX_FMT_YUVA444P16}}};
    const uint64_t flags = av_pix_fmt_desc_get((enum AVPixelFormat)frame->format)->flags;
    const enum AVPixelFormat *format =
        formats[max > UINT8_MAX][(flags & AV_PIX_FMT_FLAG_ALPHA) != 0];
    int error = weir_frame_hold(scale->planes, format[0], frame->width, frame->height);
    error = error < 0 ? error : weir_rgb_run(frame, max, scale->color, NULL, scale->planes);
    error = error < 0
                ? error
                : weir_frame_hold(scale->scaled, format[0], (int)rows->width, (int)rows->height);
    return error < 0
               ? error
               : run_swscale(&scale->scaler, scale->planes, format[1], scale->scaled, format[1]);
}

static int run(struct weir_scale *scale, const AVFrame *frame, const struct weir_rows *rows)
{
    const bool is_narrow = weir_memory_value_size((enum AVPixelFormat)frame->format) == 1;
    const uint32_t max = rows->texel_size == 4 || (scale->widens && is_narrow && !scale->color)
                             ? UINT8_MAX
                             : UINT16_MAX;
    const bool is_scaled = (uint32_t)frame->width != rows->width ||
                           (uint32_t)frame->height != rows->height;
    const enum AVPixelFormat unpacked = unpacked_format((enum AVPixelFormat)frame->format);
    const enum AVPixelFormat direct = rows->texel_size == 4 && (is_scaled || !scale->color)
                                          ? AV_PIX_FMT_RGBA
                                          : AV_PIX_FMT_RGBA64;
    int error = 0;
    if (unpacked != AV_PIX_FMT_NONE && (is_scaled || unpacked != direct)) {
        error = unpack(scale, frame, unpacked, NULL);
        frame = scale->unpacked;
    }
    if (error >= 0 && is_scaled) {
        error = resize(scale, frame, max, rows);
        frame = scale->scaled;
    }
    if (error >= 0 && direct == unpacked_format((enum AVPixelFormat)frame->format)) {
        return unpack(scale, frame, direct, rows);
    }
    return error < 0 ? error
                     : weir_rgb_run(frame, max, is_scaled ? NULL : scale->color, rows, NULL);
}

// True if a frame has a matrix that is read, and no values of another kind.
static bool is_readable(const AVFrame *frame)
{
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get((enum AVPixelFormat)frame->format);
    const struct weir_scale_coding coding = weir_scale_coding_of(frame);
    double of_chroma[3][2];
    return format && (format->flags & AV_PIX_FMT_FLAG_HWACCEL) == 0 &&
           ((format->flags & AV_PIX_FMT_FLAG_FLOAT) == 0 || format->comp[0].depth == 32) &&
           (!coding.is_yuv || weir_matrix_get(coding.matrix, of_chroma));
}

enum weir_result weir_scale_run(struct weir_scale *scale, const AVFrame *frame, uint32_t width,
                                uint32_t height, uint8_t *pixels, size_t pitch)
{
    const struct weir_rows rows = {pixels, pitch, width, height,
                                   scale->format == AV_PIX_FMT_RGBA64 ? 8 : 4};
    const int error = is_readable(frame) ? run(scale, frame, &rows) : AVERROR(ENOSYS);
    if (error == AVERROR(ENOMEM)) {
        return weir_fail(scale->log, WEIR_ERROR_OUT_OF_MEMORY, WEIR_LOG_CODE_OUT_OF_MEMORY,
                         "%s: no memory is left to convert it", scale->path);
    }
    // A raw picture of a camera of one row, for instance.
    return error < 0 ? refuse(scale, frame, &rows) : WEIR_OK;
}
