// SPDX-License-Identifier: MIT
// swscale: a decoded frame of any size and pixel format becomes rows of RGBA.
#include "capture/files/source/scale.h"

#include <stdbool.h>
#include <string.h>

#include <libavutil/buffer.h>
#include <libavutil/pixdesc.h>

#include "capture/files/source/reader.h"

enum { VIDEO_HD_WIDTH = 1280, VIDEO_HD_HEIGHT = 720 };

enum weir_result weir_scale_init(struct weir_scale *scale, const char *path,
                                 enum AVPixelFormat format, const struct weir_log *log)
{
    *scale = (struct weir_scale){.path = path, .log = log, .format = format};
    scale->target = av_frame_alloc();
    scale->planes = av_frame_alloc();
    scale->padded = av_frame_alloc();
    return scale->target && scale->planes && scale->padded ? WEIR_OK : WEIR_ERROR_OUT_OF_MEMORY;
}

static void free_scalers(struct weir_scale *scale)
{
    for (int i = 0; i < WEIR_SCALE_MAX_FIELDS; i++) {
        sws_freeContext(scale->scalers[i]);
        scale->scalers[i] = NULL;
    }
}

void weir_scale_finish(struct weir_scale *scale)
{
    free_scalers(scale);
    av_frame_free(&scale->target);
    av_frame_free(&scale->planes);
    av_frame_free(&scale->padded);
    weir_ycgco_finish(&scale->ycgco);
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
        return SWS_CS_BT2020;
    default:
        return frame->width >= VIDEO_HD_WIDTH || frame->height >= VIDEO_HD_HEIGHT ? SWS_CS_ITU709
                                                                                  : SWS_CS_ITU601;
    }
}

const char *weir_scale_other_matrix(const AVFrame *frame)
{
    static const char *const names[] = {
        [AVCOL_SPC_RGB] = "RGB",
        [AVCOL_SPC_YCGCO] = "YCgCo",
        [AVCOL_SPC_BT2020_CL] = "BT.2020 constant luminance",
        [AVCOL_SPC_SMPTE2085] = "SMPTE 2085",
        [AVCOL_SPC_CHROMA_DERIVED_NCL] = "chroma-derived",
        [AVCOL_SPC_CHROMA_DERIVED_CL] = "chroma-derived constant luminance",
        [AVCOL_SPC_ICTCP] = "ICtCp",
    };
    const size_t matrix = (size_t)frame->colorspace;
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get((enum AVPixelFormat)frame->format);
    const uint64_t others = AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL;
    if (!format || (format->flags & others) != 0 || format->nb_components < 3 ||
        strncmp(format->name, "xyz", 3) == 0) {
        return NULL;
    }
    return matrix < sizeof(names) / sizeof(names[0]) ? names[matrix] : "unknown";
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
    coding.location = weir_siting_location(frame, coding.full_range);
    coding.full_range = coding.full_range ||
                        (!coding.is_yuv && frame->color_range != AVCOL_RANGE_MPEG);
    return coding;
}

// Rows of chroma belong to fields too, and lie elsewhere than in a frame. Where the height changes
// the rows are of both fields, as in a frame.
static bool has_own_fields(const AVFrame *frame, enum AVPixelFormat format, uint32_t height)
{
    const AVPixFmtDescriptor *description = av_pix_fmt_desc_get(format);
    const int down = description ? description->log2_chroma_h : 0;
    return down > 0 && weir_siting_is_interlaced(frame) && frame->height == (int)height &&
           frame->height % (2 << down) == 0;
}

static struct weir_scaler_key key_of(const struct weir_scale *scale, const AVFrame *frame,
                                     uint32_t width, uint32_t height)
{
    const struct weir_scale_coding coding = weir_scale_coding_of(frame);
    const bool is_widened = scale->widens && weir_memory_value_size(coding.format) == 1;
    struct weir_scaler_key key = {
        .width = frame->width,
        .height = frame->height,
        .format = coding.format,
        .space = coding.space,
        .full_range = coding.full_range,
        .location = coding.location,
        .num_fields = has_own_fields(frame, coding.format, height) ? 2 : 1,
        .new_width = (int)width,
        .new_height = (int)height,
        .new_format = is_widened ? AV_PIX_FMT_RGBA : scale->format,
    };
    if (coding.is_yuv && key.width == key.new_width && key.height == key.new_height) {
        weir_pad_sides(coding.format, &key.width, &key.height);
        key.new_width = key.width;
        key.new_height = key.height;
    }
    return key;
}

static enum weir_result refuse(const struct weir_scale *scale, const AVFrame *frame,
                               const struct weir_rows *rows)
{
    const char *name = av_get_pix_fmt_name((enum AVPixelFormat)frame->format);
    const char *matrix = weir_scale_other_matrix(frame);
    if (matrix && frame->colorspace != AVCOL_SPC_YCGCO) {
        return weir_fail(scale->log, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_MISSING_FORMAT,
                         "%s: its colours have the matrix %s, which is not read; convert it with "
                         "ffmpeg first: -vf zscale=matrix=709",
                         scale->path, matrix);
    }
    return weir_fail(scale->log, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_READ_FAILED,
                     "%s: cannot turn %dx%d %s into %ux%u RGBA; convert it with ffmpeg first",
                     scale->path, frame->width, frame->height, name ? name : "pixels", rows->width,
                     rows->height);
}

// Make the scalers, and the planes if they go through them.
static int init(struct weir_scale *scale, const struct weir_scaler_key *key)
{
    static const enum weir_siting_rows fields[] = {WEIR_SITING_TOP_FIELD, WEIR_SITING_BOTTOM_FIELD};
    const enum AVPixelFormat rows = (enum AVPixelFormat)key->new_format;
    const enum AVPixelFormat between = weir_planes_between((enum AVPixelFormat)key->format, rows);
    const enum AVPixelFormat format = between == AV_PIX_FMT_NONE ? rows : between;
    int error = 0;
    free_scalers(scale);
    av_frame_unref(scale->planes);
    av_frame_unref(scale->padded);
    for (int i = 0; i < key->num_fields && error >= 0; i++) {
        error = weir_scaler_open(key, format, key->num_fields == 1 ? WEIR_SITING_FRAME : fields[i],
                                 scale->is_alone, &scale->scalers[i]);
    }
    if (error >= 0 && between != AV_PIX_FMT_NONE) {
        error = weir_frame_allocate(scale->planes, between, key->new_width, key->new_height);
    }
    return error >= 0 && rows == AV_PIX_FMT_RGBA64 ? weir_scaler_measure(key, format, &scale->gain)
                                                   : error;
}

// Make what frames of that kind take, unless it is there. Returns an AVERROR.
static int prepare(struct weir_scale *scale, const struct weir_scaler_key *key)
{
    if (scale->scalers[0] && memcmp(key, &scale->key, sizeof(*key)) == 0) {
        return 0;
    }
    scale->key = (struct weir_scaler_key){0}; // should this one fail
    const int error = init(scale, key);
    scale->key = error >= 0 ? *key : scale->key;
    return error;
}

static void amplify_rows(const struct weir_scaler_gain *gain, const struct weir_rows *rows)
{
    const uint32_t gains[4] = {gain->color, gain->color, gain->color, gain->alpha};
    for (uint32_t y = 0; y < rows->height; y++) {
        uint16_t *row = (uint16_t *)(void *)(rows->pixels + y * rows->pitch);
        for (size_t i = 0; i < 4 * (size_t)rows->width; i++) {
            row[i] = (uint16_t)weir_scaler_amplify(row[i], gains[i % 4]);
        }
    }
}

// Rows of 8 bits become rows of 16 in their place, from their ends on.
static void widen_rows(const struct weir_rows *rows)
{
    for (uint32_t y = 0; y < rows->height; y++) {
        uint8_t *row = rows->pixels + y * rows->pitch;
        for (size_t i = 4 * (size_t)rows->width; i-- > 0;) {
            const uint16_t wide = (uint16_t)(257 * row[i]);
            memcpy(row + 2 * i, &wide, sizeof(wide));
        }
    }
}

// Free nothing: the pixels belong to the caller of weir_scale_run().
static void keep(void *opaque, uint8_t *data)
{
    (void)opaque;
    (void)data;
}

// Share every other row of a frame.
static AVFrame *clone_field(const AVFrame *frame, int field)
{
    AVFrame *rows = av_frame_clone(frame);
    for (int i = 0; rows && i < AV_NUM_DATA_POINTERS && rows->data[i]; i++) {
        rows->data[i] += field * (ptrdiff_t)rows->linesize[i];
        rows->linesize[i] *= 2;
    }
    if (rows) {
        rows->height /= 2;
    }
    return rows;
}

static int run_scalers(struct weir_scale *scale, const AVFrame *source, AVFrame *target)
{
    if (scale->key.num_fields == 1) {
        return sws_scale_frame(scale->scalers[0], target, source);
    }
    int error = 0;
    for (int i = 0; i < scale->key.num_fields && error >= 0; i++) {
        AVFrame *from = clone_field(source, i), *to = clone_field(target, i);
        error = from && to ? sws_scale_frame(scale->scalers[i], to, from) : AVERROR(ENOMEM);
        av_frame_free(&from);
        av_frame_free(&to);
    }
    return error;
}

// Run the scalers into the rows themselves.
static int scale_rows(struct weir_scale *scale, const AVFrame *source, const struct weir_rows *rows)
{
    AVFrame *target = scale->target;
    target->format = scale->key.new_format;
    target->width = scale->key.new_width;
    target->height = scale->key.new_height;
    target->data[0] = rows->pixels;
    target->linesize[0] = (int)rows->pitch;
    target->buf[0] = av_buffer_create(rows->pixels, rows->pitch * rows->height, keep, NULL, 0);
    const int error = target->buf[0] ? run_scalers(scale, source, target) : AVERROR(ENOMEM);
    av_frame_unref(target);
    return error;
}

static int scale_planes(struct weir_scale *scale, const AVFrame *source,
                        const struct weir_rows *rows)
{
    const bool is_padded = source->width != scale->key.width || source->height != scale->key.height;
    int error = is_padded ? weir_pad_copy(scale->padded, source) : 0;
    if (error >= 0) {
        error = run_scalers(scale, is_padded ? scale->padded : source, scale->planes);
    }
    if (error >= 0) {
        weir_planes_interleave(scale->planes, &scale->gain, rows);
    }
    return error;
}

static int scale_frame(struct weir_scale *scale, const AVFrame *frame, const struct weir_rows *rows)
{
    AVFrame *source = av_frame_clone(frame); // shares the pixels
    if (!source) {
        return AVERROR(ENOMEM);
    }
    source->format = scale->key.format;
    const int error = scale->planes->data[0] ? scale_planes(scale, source, rows)
                                             : scale_rows(scale, source, rows);
    av_frame_free(&source);
    return error;
}

// Scale a frame of a matrix that swscale has, or of RGB.
static int run_known(struct weir_scale *scale, const AVFrame *frame, const struct weir_rows *rows)
{
    const struct weir_scaler_key key = key_of(scale, frame, rows->width, rows->height);
    const int error = prepare(scale, &key);
    return error >= 0 ? scale_frame(scale, frame, rows) : error;
}

enum weir_result weir_scale_run(struct weir_scale *scale, const AVFrame *frame, uint32_t width,
                                uint32_t height, uint8_t *pixels, size_t pitch)
{
    const struct weir_rows rows = {pixels, pitch, width, height,
                                   scale->format == AV_PIX_FMT_RGBA64 ? 8 : 4};
    const AVFrame *known = frame;
    int error = !weir_scale_other_matrix(frame) ? 0
                : frame->colorspace == AVCOL_SPC_YCGCO
                    ? weir_ycgco_run(&scale->ycgco, frame, &known)
                    : AVERROR(ENOSYS);
    error = error >= 0 ? run_known(scale, known, &rows) : error;
    if (error == AVERROR(ENOMEM)) {
        return weir_fail(scale->log, WEIR_ERROR_OUT_OF_MEMORY, WEIR_LOG_CODE_OUT_OF_MEMORY,
                         "%s: no memory is left to convert it", scale->path);
    }
    if (error < 0) { // a raw picture of a camera of one row, for instance
        return refuse(scale, frame, &rows);
    }
    if (scale->key.new_format != scale->format) {
        widen_rows(&rows);
    } else if (scale->format == AV_PIX_FMT_RGBA64 && !scale->planes->data[0] &&
               (scale->gain.color != 1 << 16 || scale->gain.alpha != 1 << 16)) {
        amplify_rows(&scale->gain, &rows);
    }
    return WEIR_OK;
}
