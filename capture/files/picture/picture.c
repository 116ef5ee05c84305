// SPDX-License-Identifier: MIT
// A picture in host memory, at the precision that its file has: 8 or 16 bits, or floats.
#include "capture/files/picture/picture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libavutil/common.h>
#include <libavutil/pixdesc.h>

#include "capture/base/size.h"
#include "capture/files/source/list.h"
#include "capture/files/source/reader.h"
#include "capture/files/source/scale.h"

// Floats are taken as they are: grey as R, G and B, and 1 as a missing alpha.
static enum weir_result gather(struct weir_picture *picture, const AVFrame *frame,
                               const AVPixFmtDescriptor *format)
{
    const int last = format->nb_components - 1;
    float *line = malloc((size_t)frame->width * sizeof(*line));
    for (int i = 0; i < 4 * frame->height && line; i++) {
        const int y = i / 4, channel = i % 4;
        const bool is_missing = channel == 3 && !picture->has_alpha;
        uint8_t *row = picture->texels + (size_t)y * picture->pitch;
        av_read_image_line2(line, (const uint8_t **)frame->data, frame->linesize, format, 0, y,
                            channel == 3 ? last : FFMIN(channel, last < 2 ? 0 : 2), frame->width, 0,
                            sizeof(*line));
        for (int x = 0; x < frame->width; x++) {
            const float value = is_missing ? 1 : line[x];
            memcpy(row + 16 * (size_t)x + 4 * channel, &value, sizeof(value));
        }
    }
    const bool is_done = line;
    free(line);
    return is_done ? WEIR_OK : WEIR_ERROR_OUT_OF_MEMORY;
}

static enum weir_result convert(struct weir_picture *picture, const AVFrame *frame,
                                const char *path, const struct weir_log *log)
{
    struct weir_scale scale;
    const enum AVPixelFormat format = picture->type == WEIR_PICTURE_8 ? AV_PIX_FMT_RGBA
                                                                      : AV_PIX_FMT_RGBA64;
    enum weir_result result = weir_scale_init(&scale, path, format, log);
    if (result == WEIR_OK) {
        result = weir_scale_run(&scale, frame, (uint32_t)frame->width, (uint32_t)frame->height,
                                picture->texels, picture->pitch);
    }
    weir_scale_finish(&scale);
    return result;
}

// Return true if a texel is not opaque. Formats with a palette may have alpha, but hardly ever do.
static bool has_translucent_texel(const struct weir_picture *picture, const AVFrame *frame)
{
    for (int y = 0; y < frame->height; y++) {
        for (int x = 0; x < frame->width; x++) {
            if (picture->texels[(size_t)y * picture->pitch + 4 * (size_t)x + 3] != UINT8_MAX) {
                return true;
            }
        }
    }
    return false;
}

static void warn_of_light(const AVFrame *frame, const char *path, const struct weir_log *log)
{
    if (frame->color_trc == AVCOL_TRC_SMPTE2084 || frame->color_trc == AVCOL_TRC_ARIB_STD_B67) {
        weir_log_printf(
            log, WEIR_LOG_WARNING, WEIR_LOG_CODE_FALLBACK,
            "%s: its HDR codes (PQ or HLG) are read as sRGB, which shows wrong colours; convert it "
            "to linear light first, with ffmpeg -vf zscale=t=linear, to an .exr",
            path);
    }
}

static enum weir_result allocate(struct weir_picture *picture)
{
    picture->pitch = weir_round_up((size_t)picture->width * 4 * (size_t)picture->type,
                                   WEIR_SOURCE_ALIGNMENT);
    picture->texels = aligned_alloc(WEIR_SOURCE_ALIGNMENT, picture->pitch * picture->height);
    return picture->texels ? WEIR_OK : WEIR_ERROR_OUT_OF_MEMORY;
}

static enum weir_result take(struct weir_picture *picture, const AVFrame *frame, const char *path,
                             const struct weir_log *log)
{
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get((enum AVPixelFormat)frame->format);
    const bool is_float = format && (format->flags & AV_PIX_FMT_FLAG_FLOAT) != 0;
    if (!format || (is_float && format->comp[0].depth != 32)) {
        return weir_fail(log, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_READ_FAILED,
                         "%s: cannot read pixels of the format %s; convert it with ffmpeg first",
                         path, format ? format->name : "unknown");
    }
    snprintf(picture->pixels, sizeof(picture->pixels), "%s", format->name);
    picture->type = (enum weir_picture_type)weir_memory_value_size(
        (enum AVPixelFormat)frame->format);
    picture->has_alpha = (format->flags & AV_PIX_FMT_FLAG_ALPHA) != 0;
    picture->is_linear = is_float || frame->color_trc == AVCOL_TRC_LINEAR;
    picture->width = (uint32_t)frame->width;
    picture->height = (uint32_t)frame->height;
    WEIR_TRY(allocate(picture));
    warn_of_light(frame, path, log);
    if (is_float) {
        return gather(picture, frame, format);
    }
    WEIR_TRY(convert(picture, frame, path, log));
    if ((format->flags & AV_PIX_FMT_FLAG_PAL) != 0) {
        picture->has_alpha = has_translucent_texel(picture, frame);
    }
    return WEIR_OK;
}

static enum weir_result turn_upright(struct weir_picture *picture, int orientation)
{
    const struct weir_picture stored = *picture;
    if (orientation == WEIR_ORIENTATION_UPRIGHT) {
        return WEIR_OK;
    }
    if (weir_orientation_swaps_sides(orientation)) {
        picture->width = stored.height;
        picture->height = stored.width;
    }
    const enum weir_result result = allocate(picture);
    if (result == WEIR_OK) {
        const struct weir_rows upright = {picture->texels, picture->pitch, picture->width,
                                          picture->height, 4 * (uint32_t)picture->type};
        weir_orientation_apply(orientation, stored.texels, stored.pitch, &upright);
    }
    free(stored.texels);
    return result;
}

// Check again what it takes, now that the format is known: a header need not say it.
static enum weir_result check_memory(const struct weir_memory_use *memory, const AVFrame *frame,
                                     const char *path, const struct weir_log *log)
{
    char reason[WEIR_REASON_SIZE];
    const enum weir_result result = weir_memory_check(memory, (uint64_t)frame->width,
                                                      (uint64_t)frame->height,
                                                      (enum AVPixelFormat)frame->format, reason);
    if (result != WEIR_OK) {
        weir_log_printf(log, WEIR_LOG_ERROR, WEIR_LOG_CODE_READ_FAILED, "%s: %s", path, reason);
    }
    return result;
}

static enum weir_result read_first(struct weir_reader *reader, AVFrame *frame,
                                   struct weir_picture *picture)
{
    const struct weir_reader_params *params = &reader->params;
    bool end = false;
    WEIR_TRY(weir_reader_read(reader, frame, &end));
    if (end) {
        return weir_fail(params->log, WEIR_ERROR_DATA, WEIR_LOG_CODE_NOT_A_PICTURE,
                         "%s: no picture in it can be decoded; it is damaged, cut short, or of a "
                         "kind that this FFmpeg does not read",
                         params->path);
    }
    WEIR_TRY(check_memory(&params->memory, frame, params->path, params->log));
    weir_reader_warn_of_unused(&params->picture, params->path, reader->still,
                               weir_reader_is_still(reader), params->log);
    WEIR_TRY(take(picture, frame, params->path, params->log));
    picture->is_premultiplied = reader->still && reader->still->is_associated && picture->has_alpha;
    return turn_upright(picture, weir_orientation_get(frame, reader->stream));
}

static enum weir_result read_file(const struct weir_reader_params *params, AVFrame *frame,
                                  struct weir_picture *picture)
{
    struct weir_reader reader;
    enum weir_result result = weir_reader_open(&reader, params);
    if (result == WEIR_OK) {
        result = read_first(&reader, frame, picture);
    }
    weir_reader_close(&reader);
    return result;
}

enum weir_result weir_picture_read(const char *path, const struct weir_memory_use *memory,
                                   const struct weir_still_params *still,
                                   const struct weir_log *log, struct weir_picture *picture)
{
    *picture = (struct weir_picture){0};
    if (!path || path[0] == 0) {
        return weir_fail(log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_NULL_ARGUMENT,
                         "the path is empty; name a picture");
    }
    struct weir_source_list list;
    WEIR_TRY(weir_source_list_find(&list, path, log));
    enum weir_result result = WEIR_OK;
    AVFrame *frame = av_frame_alloc();
    if (!frame) {
        result = WEIR_ERROR_OUT_OF_MEMORY;
    } else if (list.pictures) {
        result = weir_fail(log, WEIR_ERROR_DATA, WEIR_LOG_CODE_NOT_A_PICTURE,
                           "%s is a folder or a sequence; name one picture of it, such as %s", path,
                           list.files[0].path);
    } else {
        struct weir_reader_params params = {.path = path, .first = true, .log = log};
        params.memory = memory ? *memory : params.memory;
        params.picture = still ? *still : params.picture;
        result = read_file(&params, frame, picture);
    }
    if (result == WEIR_ERROR_OUT_OF_MEMORY) {
        weir_log_printf(log, WEIR_LOG_ERROR, WEIR_LOG_CODE_OUT_OF_MEMORY, "no memory to read %s",
                        path);
    }
    av_frame_free(&frame);
    weir_source_list_finish(&list);
    return result;
}

enum weir_result weir_picture_of_texture(const struct weir_texture *texture, uint32_t level,
                                         uint32_t image, const char *name,
                                         const struct weir_memory_use *memory,
                                         const struct weir_log *log, struct weir_picture *picture)
{
    char reason[WEIR_REASON_SIZE] = "no memory for its texels";
    *picture = (struct weir_picture){0};
    AVFrame *frame = av_frame_alloc();
    enum weir_result result = frame ? weir_texture_to_frame(texture, level, image, memory, frame,
                                                            reason)
                                    : WEIR_ERROR_OUT_OF_MEMORY;
    if (result == WEIR_OK) {
        result = take(picture, frame, name, log);
    }
    if (result != WEIR_OK) {
        weir_log_printf(log, WEIR_LOG_ERROR, WEIR_LOG_CODE_READ_FAILED, "%s: %s", name, reason);
    }
    av_frame_free(&frame);
    return result;
}

void weir_picture_free(struct weir_picture *picture)
{
    free(picture->texels);
    *picture = (struct weir_picture){0};
}

const uint8_t *weir_picture_bytes(const struct weir_picture *picture, uint32_t y)
{
    return picture->type == WEIR_PICTURE_8 && !picture->changes
               ? picture->texels + y * picture->pitch
               : NULL;
}

static void read_row(const struct weir_picture *picture, uint32_t y, float *row)
{
    const uint8_t *values = picture->texels + y * picture->pitch;
    const size_t num = 4 * (size_t)picture->width;
    if (picture->type == WEIR_PICTURE_FLOAT) {
        memcpy(row, values, num * sizeof(*row));
        return;
    }
    for (size_t i = 0; i < num; i++) {
        row[i] = picture->type == WEIR_PICTURE_8
                     ? (float)values[i] / UINT8_MAX
                     : (float)((const uint16_t *)(const void *)values)[i] / UINT16_MAX;
    }
}

void weir_picture_row(const struct weir_picture *picture, uint32_t y, float *row)
{
    read_row(picture, y, row);
    if (picture->changes) {
        weir_picture_change_row(picture, row);
    }
}
