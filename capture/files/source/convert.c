// SPDX-License-Identifier: MIT
// Conversion: a decoded frame of any size, pixel format and colour becomes upright RGBA rows of
// display codes, of 8 or 16 bits.
#include "capture/files/source/convert.h"

#include <libavutil/mem.h>
#include <libavutil/pixdesc.h>

#include "capture/base/size.h"
#include "capture/files/source/scale.h"
#include "capture/files/source/shape.h"
#include "capture/files/source/source.h"

enum weir_result weir_convert_init(struct weir_convert *convert,
                                   const struct weir_convert_params *params)
{
    *convert = (struct weir_convert){.params = *params};
    WEIR_TRY(weir_color_init(&convert->color, params->path, params->tonemap, params->log));
    WEIR_TRY(weir_scale_init(&convert->scale, params->path,
                             params->is_deep ? AV_PIX_FMT_RGBA64 : AV_PIX_FMT_RGBA, params->log));
    convert->color.divides = params->keeps_alpha && params->is_premultiplied;
    // Other frames are converted beside this one.
    convert->color.scale.is_alone = convert->scale.is_alone = true;
    convert->scale.widens = params->is_deep;
    return WEIR_OK;
}

uint32_t weir_convert_texel_size(const struct weir_convert_params *params)
{
    return params->linear || params->is_deep ? 8 : 4;
}

void weir_convert_finish(struct weir_convert *convert)
{
    weir_color_finish(&convert->color);
    weir_scale_finish(&convert->scale);
    av_free(convert->stored);
    *convert = (struct weir_convert){0};
}

void weir_convert_notes_init(struct weir_convert_notes *notes,
                             const struct weir_convert_params *params)
{
    *notes = (struct weir_convert_notes){
        .meaning = {.path = params->path, .log = params->log, .tonemap = params->tonemap}};
}

static void warn(const struct weir_convert_params *params, bool *warned, const char *text)
{
    if (!*warned) {
        weir_log_printf(params->log, WEIR_LOG_WARNING, WEIR_LOG_CODE_FALLBACK, "%s: %s",
                        params->path, text);
    }
    *warned = true;
}

struct weir_meaning weir_convert_note(struct weir_convert_notes *notes,
                                      const struct weir_convert_params *params,
                                      const AVFrame *frame)
{
    if (params->linear && weir_meaning_light_of(frame) != WEIR_LIGHT_LINEAR) {
        return (struct weir_meaning){0}; // which is refused
    }
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get((enum AVPixelFormat)frame->format);
    if (!params->keeps_alpha && format && (format->flags & AV_PIX_FMT_FLAG_ALPHA) != 0 &&
        frame->format != AV_PIX_FMT_PAL8) {
        warn(params, &notes->warned_alpha, "its alpha is left out, as the codec has none");
    }
    if (weir_siting_is_interlaced(frame)) {
        warn(params, &notes->warned_fields,
             "it is interlaced, and its fields stay woven; for a movie without combs deinterlace "
             "it first, with ffmpeg -vf bwdif");
    }
    return weir_meaning_note(&notes->meaning, frame);
}

static size_t aligned_pitch(const struct weir_rows *rows, uint32_t width)
{
    return weir_round_up((size_t)width * rows->texel_size, WEIR_SOURCE_ALIGNMENT);
}

static enum weir_result turn(struct weir_convert *convert, const AVFrame *frame, int orientation,
                             const struct weir_rows *rows)
{
    const bool swaps = weir_orientation_swaps_sides(orientation);
    const uint32_t width = swaps ? rows->height : rows->width;
    const uint32_t height = swaps ? rows->width : rows->height;
    const size_t stored_pitch = aligned_pitch(rows, width);
    if (!convert->stored) {
        // Enough for either orientation.
        const size_t size = stored_pitch * height,
                     other = aligned_pitch(rows, height) * (size_t)width;
        convert->stored = av_malloc(size > other ? size : other);
    }
    if (!convert->stored) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    WEIR_TRY(weir_scale_run(&convert->scale, frame, width, height, convert->stored, stored_pitch));
    weir_orientation_apply(orientation, convert->stored, stored_pitch, rows);
    return WEIR_OK;
}

static void change_alpha(const struct weir_convert_params *params, bool has_divided,
                         const struct weir_rows *rows)
{
    const bool is_premultiplied = params->is_premultiplied && !has_divided;
    if (is_premultiplied && !params->premultiplies) {
        weir_alpha_divide(rows);
    } else if (!is_premultiplied && params->premultiplies) {
        weir_alpha_multiply(rows);
    }
}

enum weir_result weir_convert_run(struct weir_convert *convert, const AVFrame *frame,
                                  const struct weir_meaning *meaning, int orientation,
                                  uint8_t *pixels, size_t pitch)
{
    if (convert->params.linear) {
        return weir_linear_run(&convert->params, frame, orientation, pixels, pitch);
    }
    const struct weir_rows rows = {pixels, pitch, convert->params.width, convert->params.height,
                                   weir_convert_texel_size(&convert->params)};
    const AVFrame *codes = frame;
    WEIR_TRY(weir_color_run(&convert->color, frame, meaning, &codes));
    WEIR_TRY(orientation <= WEIR_ORIENTATION_UPRIGHT
                 ? weir_scale_run(&convert->scale, codes, rows.width, rows.height, pixels, pitch)
                 : turn(convert, codes, orientation, &rows));
    if (convert->params.keeps_alpha) {
        change_alpha(&convert->params, convert->color.has_divided, &rows);
    }
    return WEIR_OK;
}
