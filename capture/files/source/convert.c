// SPDX-License-Identifier: MIT
// Conversion: a decoded frame of any size, pixel format and colour becomes upright RGBA rows of
// display codes, of 8 or 16 bits, or of linear light.
#include "capture/files/source/convert.h"

#include <libavutil/pixdesc.h>

enum weir_result weir_convert_init(struct weir_convert *convert,
                                   const struct weir_convert_params *params)
{
    *convert = (struct weir_convert){.params = *params};
    convert->color = (struct weir_color){
        .tonemap = params->tonemap,
        .makes_halves = params->linear,
        .divides = params->keeps_alpha && params->is_premultiplied && !params->linear,
    };
    WEIR_TRY(weir_scale_init(
        &convert->scale, params->path,
        weir_convert_texel_size(params) == 8 ? AV_PIX_FMT_RGBA64 : AV_PIX_FMT_RGBA, params->log));
    convert->scale.widens = params->is_deep;
    convert->stored = av_frame_alloc();
    return convert->stored ? WEIR_OK : WEIR_ERROR_OUT_OF_MEMORY;
}

uint32_t weir_convert_texel_size(const struct weir_convert_params *params)
{
    return params->linear || params->is_deep ? 8 : 4;
}

void weir_convert_finish(struct weir_convert *convert)
{
    weir_color_finish(&convert->color);
    weir_scale_finish(&convert->scale);
    av_frame_free(&convert->stored);
    *convert = (struct weir_convert){0};
}

static enum weir_result turn(struct weir_convert *convert, const AVFrame *frame, int orientation,
                             const struct weir_rows *rows)
{
    AVFrame *stored = convert->stored;
    const bool swaps = weir_orientation_swaps_sides(orientation);
    const uint32_t width = swaps ? rows->height : rows->width;
    const uint32_t height = swaps ? rows->width : rows->height;
    if (weir_frame_hold(stored, convert->scale.format, (int)width, (int)height) < 0) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    const size_t pitch = (size_t)stored->linesize[0];
    WEIR_TRY(weir_scale_run(&convert->scale, frame, width, height, stored->data[0], pitch));
    weir_orientation_apply(orientation, stored->data[0], pitch, rows);
    return WEIR_OK;
}

// `max` is the largest code, and a constant where it is called, so that it divides fast.
static inline uint32_t change(uint32_t code, uint32_t alpha, uint32_t max, bool divides)
{
    return alpha == max   ? code
           : !divides     ? (uint32_t)((2 * (uint64_t)code * alpha + max) / (2 * (uint64_t)max))
           : alpha == 0   ? code
           : code < alpha ? (uint32_t)((2 * (uint64_t)code * max + alpha) / (2 * (uint64_t)alpha))
                          : max;
}

void weir_alpha_change(const struct weir_rows *rows, bool divides)
{
    for (uint32_t y = 0; y < rows->height; y++) {
        uint8_t *codes = rows->pixels + y * rows->pitch;
        uint16_t *deep = (uint16_t *)(void *)codes;
        for (size_t i = 0; i < 4 * (size_t)rows->width; i++) {
            const size_t alpha = i | 3;
            if (i == alpha) {
                continue;
            }
            if (rows->texel_size == 4) {
                codes[i] = (uint8_t)change(codes[i], codes[alpha], UINT8_MAX, divides);
            } else {
                deep[i] = (uint16_t)change(deep[i], deep[alpha], UINT16_MAX, divides);
            }
        }
    }
}

static enum weir_result refuse(const struct weir_convert_params *params, const char *text)
{
    return weir_fail(params->log, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_MISSING_FORMAT, "%s: %s",
                     params->path, text);
}

static enum weir_result check_linear(const struct weir_convert_params *params, const AVFrame *frame,
                                     int orientation)
{
    const bool swaps = weir_orientation_swaps_sides(orientation);
    const uint32_t width = (uint32_t)(swaps ? frame->height : frame->width);
    const uint32_t height = (uint32_t)(swaps ? frame->width : frame->height);
    if (weir_meaning_light_of(frame) != WEIR_LIGHT_LINEAR || !weir_meaning_has_floats(frame)) {
        return refuse(params, "it holds display codes, and this codec needs linear light, such as "
                              "OpenEXR files have; choose another codec");
    }
    if (width != params->width || height != params->height) {
        return refuse(params, "frames of linear light cannot be scaled by --size; give frames of "
                              "one size, and use --scale to make them smaller");
    }
    return WEIR_OK;
}

enum weir_result weir_convert_run(struct weir_convert *convert, const AVFrame *frame,
                                  const struct weir_meaning *meaning, int orientation,
                                  uint8_t *pixels, size_t pitch)
{
    const struct weir_convert_params *params = &convert->params;
    const struct weir_rows rows = {pixels, pitch, params->width, params->height,
                                   weir_convert_texel_size(params)};
    const bool is_kept = weir_color_is_kept(&convert->color, meaning);
    if (params->linear) {
        WEIR_TRY(check_linear(params, frame, orientation));
    }
    if (!is_kept) {
        WEIR_TRY(weir_color_prepare(&convert->color, meaning));
    }
    convert->scale.color = is_kept ? NULL : &convert->color;
    WEIR_TRY(orientation <= WEIR_ORIENTATION_UPRIGHT
                 ? weir_scale_run(&convert->scale, frame, rows.width, rows.height, pixels, pitch)
                 : turn(convert, frame, orientation, &rows));
    if (params->keeps_alpha && !params->linear) {
        const bool has_divided = !is_kept && convert->color.divides &&
                                 weir_meaning_has_floats(frame);
        const bool is_premultiplied = params->is_premultiplied && !has_divided;
        if (is_premultiplied != params->premultiplies) {
            weir_alpha_change(&rows, is_premultiplied);
        }
    }
    return WEIR_OK;
}
