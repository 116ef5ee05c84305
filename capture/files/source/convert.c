// SPDX-License-Identifier: MIT
// Conversion: a decoded frame of any size, pixel format and colour becomes upright RGBA rows of
// display codes, of 8 or 16 bits, or of linear light.
#include "capture/files/source/convert.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <libavutil/mem.h>
#include <libavutil/pixdesc.h>

#include "capture/base/size.h"
#include "capture/base/small_float.h"
#include "capture/files/source/scale.h"
#include "capture/files/source/source.h"

enum { NUM_CODES = 65536, NUM_FACTORS = 4096 };

struct weir_color_tables {
    struct weir_meaning meaning;
    float light[NUM_CODES];         // of a code
    uint16_t codes[NUM_CODES];      // of the square root of light
    float factors[NUM_FACTORS + 1]; // of the curve, by the square root of light, up to the peak
};

static const float limit = 65504; // of half floats; what is further off is clipped all the same

static const AVPixFmtDescriptor *format_of(const AVFrame *frame)
{
    return av_pix_fmt_desc_get((enum AVPixelFormat)frame->format);
}

// True if the components of a frame are floats as this machine has them.
static bool holds_floats(const AVFrame *frame)
{
    const AVPixFmtDescriptor *format = format_of(frame);
    const uint64_t big_endian = AV_NE(AV_PIX_FMT_FLAG_BE, 0);
    return format && (format->flags & AV_PIX_FMT_FLAG_FLOAT) != 0 && format->comp[0].depth == 32 &&
           (format->flags & AV_PIX_FMT_FLAG_BE) == big_endian;
}

static float read_float(const AVFrame *frame, const AVComponentDescriptor *at, int x, int y)
{
    float value;
    memcpy(&value,
           frame->data[at->plane] + (ptrdiff_t)y * frame->linesize[at->plane] +
               (ptrdiff_t)x * at->step + at->offset,
           sizeof(value));
    return fminf(fmaxf(value, -limit), limit);
}

// Read one texel of such a frame, of one to four channels, within +-65504. What is not a number is
// the least, and a missing alpha is 1.
static void read_floats(const AVFrame *frame, int x, int y, float rgba[4])
{
    const AVPixFmtDescriptor *format = format_of(frame);
    const int num = format->nb_components;
    for (int c = 0; c < 3; c++) {
        rgba[c] = read_float(frame, &format->comp[num >= 3 ? c : 0], x, y);
    }
    const bool has_alpha = (format->flags & AV_PIX_FMT_FLAG_ALPHA) != 0;
    rgba[3] = has_alpha ? read_float(frame, &format->comp[num - 1], x, y) : 1;
}

enum weir_result weir_color_init(struct weir_color *color, const char *path,
                                 enum weir_tonemap tonemap, const struct weir_log *log)
{
    *color = (struct weir_color){.tonemap = tonemap};
    return weir_scale_init(&color->scale, path, AV_PIX_FMT_RGBA64, log);
}

void weir_color_finish(struct weir_color *color)
{
    weir_scale_finish(&color->scale);
    free(color->tables);
    av_frame_free(&color->codes);
    *color = (struct weir_color){0};
}

static void fill_tables(struct weir_color_tables *tables, enum weir_tonemap tonemap)
{
    const double peak = (double)(tables->meaning.peak / WEIR_LIGHT_WHITE);
    for (int i = 0; i < NUM_CODES; i++) {
        const double code = (double)i / (NUM_CODES - 1);
        tables->light[i] = (float)weir_light_of_code(tables->meaning.light, code);
        tables->codes[i] = (uint16_t)lrint(weir_light_srgb_code(code * code) * (NUM_CODES - 1));
    }
    tables->factors[0] = 1;
    for (int i = 1; i <= NUM_FACTORS; i++) {
        const double root = (double)i / NUM_FACTORS, light = root * root * peak;
        tables->factors[i] = (float)(weir_light_curve(tonemap, light, peak) / light);
    }
    if (tonemap == WEIR_TONEMAP_HABLE) {
        tables->factors[0] = tables->factors[1];
    }
}

static float factor_of(const struct weir_color_tables *tables, float light)
{
    const float whites = tables->meaning.peak / WEIR_LIGHT_WHITE;
    const float at = sqrtf(fminf(light / whites, 1)) * NUM_FACTORS;
    const int below = at < NUM_FACTORS ? (int)at : NUM_FACTORS - 1;
    const float *factors = tables->factors + below;
    return factors[0] + (factors[1] - factors[0]) * (at - (float)below);
}

static uint16_t code_of(const struct weir_color_tables *tables, float light)
{
    return light > 0 ? tables->codes[(int)(sqrtf(fminf(light, 1)) * (NUM_CODES - 1) + 0.5f)] : 0;
}

// One texel, from the light of its channels.
static void map_texel(const struct weir_color_tables *tables, float rgb[3], uint16_t *texel)
{
    if (tables->meaning.light == WEIR_LIGHT_HLG) {
        // The light of the display (BT.2100, table 5: the OOTF).
        const float scene = 0.2627f * rgb[0] + 0.6780f * rgb[1] + 0.0593f * rgb[2];
        const float gain = powf(scene, 0.2f) * tables->meaning.peak / WEIR_LIGHT_WHITE;
        rgb[0] *= gain;
        rgb[1] *= gain;
        rgb[2] *= gain;
    }
    float own[3];
    for (int i = 0; i < 3; i++) {
        const float *row = weir_gamut_to_srgb[tables->meaning.gamut][i];
        own[i] = row[0] * rgb[0] + row[1] * rgb[1] + row[2] * rgb[2];
    }
    const float factor = factor_of(tables, fmaxf(fmaxf(own[0], own[1]), fmaxf(own[2], 0)));
    for (int i = 0; i < 3; i++) {
        texel[i] = code_of(tables, own[i] * factor);
    }
}

// Map all texels of color->codes, from those of `source`: floats, or color->codes itself.
static void map_texels(const struct weir_color *color, const AVFrame *source)
{
    const struct weir_color_tables *tables = color->tables;
    const AVFrame *target = color->codes;
    for (int y = 0; y < target->height; y++) {
        uint16_t *row = (uint16_t *)(void *)(target->data[0] + (ptrdiff_t)y * target->linesize[0]);
        for (int x = 0; x < target->width; x++) {
            uint16_t *texel = row + 4 * (size_t)x;
            float rgba[4] = {tables->light[texel[0]], tables->light[texel[1]],
                             tables->light[texel[2]]};
            if (source != target) {
                read_floats(source, x, y, rgba);
                for (int c = 0; c < 3 && color->divides && rgba[3] > 0; c++) {
                    rgba[c] /= rgba[3];
                }
                texel[3] = (uint16_t)(fminf(fmaxf(rgba[3], 0), 1) * UINT16_MAX + 0.5f);
            }
            map_texel(tables, rgba, texel);
        }
    }
}

static enum weir_result make_tables(struct weir_color *color, const struct weir_meaning *meaning)
{
    struct weir_color_tables *tables = color->tables;
    if (tables && tables->meaning.light == meaning->light &&
        tables->meaning.gamut == meaning->gamut && tables->meaning.peak == meaning->peak) {
        return WEIR_OK;
    }
    if (!tables) {
        tables = color->tables = malloc(sizeof(*tables));
    }
    if (!tables) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    tables->meaning = *meaning;
    const bool is_hdr = meaning->light == WEIR_LIGHT_PQ || meaning->light == WEIR_LIGHT_HLG;
    fill_tables(tables, is_hdr ? color->tonemap : WEIR_TONEMAP_CLIP);
    return WEIR_OK;
}

static enum weir_result make_frame(struct weir_color *color, const AVFrame *frame)
{
    if (color->codes && color->codes->width == frame->width &&
        color->codes->height == frame->height) {
        return WEIR_OK;
    }
    av_frame_free(&color->codes);
    color->codes = av_frame_alloc();
    if (!color->codes) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    color->codes->color_range = AVCOL_RANGE_JPEG;
    return weir_frame_allocate(color->codes, AV_PIX_FMT_RGBA64, frame->width, frame->height) < 0
               ? WEIR_ERROR_OUT_OF_MEMORY
               : WEIR_OK;
}

enum weir_result weir_color_run(struct weir_color *color, const AVFrame *frame,
                                const struct weir_meaning *meaning, const AVFrame **codes)
{
    color->has_divided = false;
    const bool kept = color->tonemap == WEIR_TONEMAP_OFF && meaning->light != WEIR_LIGHT_LINEAR;
    if (kept || (meaning->light == WEIR_LIGHT_CODES && meaning->gamut == WEIR_GAMUT_SRGB)) {
        *codes = frame;
        return WEIR_OK;
    }
    WEIR_TRY(make_tables(color, meaning));
    WEIR_TRY(make_frame(color, frame));
    const bool direct = holds_floats(frame); // swscale clips floats to 0 .. 1
    if (!direct) {
        WEIR_TRY(weir_scale_run(&color->scale, frame, (uint32_t)frame->width,
                                (uint32_t)frame->height, color->codes->data[0],
                                (size_t)color->codes->linesize[0]));
    }
    color->has_divided = direct && color->divides;
    map_texels(color, direct ? frame : color->codes);
    *codes = color->codes;
    return WEIR_OK;
}

// Linear light: frames of floats become upright rows of half floats.

static enum weir_result refuse(const struct weir_convert_params *params, const char *text)
{
    return weir_fail(params->log, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_MISSING_FORMAT, "%s: %s",
                     params->path, text);
}

static enum weir_result check(const struct weir_convert_params *params, const AVFrame *frame,
                              int orientation)
{
    const bool swaps = weir_orientation_swaps_sides(orientation);
    const uint32_t width = (uint32_t)(swaps ? frame->height : frame->width);
    const uint32_t height = (uint32_t)(swaps ? frame->width : frame->height);
    if (weir_meaning_light_of(frame) != WEIR_LIGHT_LINEAR || !holds_floats(frame)) {
        return refuse(params, "it holds display codes, and this codec needs linear light, such as "
                              "OpenEXR files have; choose another codec");
    }
    if (width != params->width || height != params->height) {
        return refuse(params, "frames of linear light cannot be scaled by --size; give frames of "
                              "one size, and use --scale to make them smaller");
    }
    return WEIR_OK;
}

static enum weir_result run_linear(const struct weir_convert_params *params, const AVFrame *frame,
                                   int orientation, uint8_t *pixels, size_t pitch)
{
    WEIR_TRY(check(params, frame, orientation));
    const float(*matrix)[3] = weir_gamut_to_srgb[weir_meaning_gamut_of(frame)];
    for (uint32_t y = 0; y < params->height; y++) {
        for (uint32_t x = 0; x < params->width; x++) {
            const struct weir_orientation_texel at = weir_orientation_stored(
                orientation, x, y, params->width, params->height);
            float rgba[4];
            uint16_t halves[4];
            read_floats(frame, (int)at.x, (int)at.y, rgba);
            for (int c = 0; c < 3; c++) {
                const float *row = matrix[c];
                halves[c] = weir_half_from(row[0] * rgba[0] + row[1] * rgba[1] + row[2] * rgba[2]);
            }
            halves[3] = weir_half_from(rgba[3]);
            memcpy(pixels + y * pitch + x * sizeof(halves), halves, sizeof(halves));
        }
    }
    return WEIR_OK;
}

// Conversion.

enum weir_result weir_convert_init(struct weir_convert *convert,
                                   const struct weir_convert_params *params)
{
    *convert = (struct weir_convert){.params = *params};
    WEIR_TRY(weir_color_init(&convert->color, params->path, params->tonemap, params->log));
    WEIR_TRY(weir_scale_init(&convert->scale, params->path,
                             params->is_deep ? AV_PIX_FMT_RGBA64 : AV_PIX_FMT_RGBA, params->log));
    convert->color.divides = params->keeps_alpha && params->is_premultiplied;
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

static void warn(const struct weir_convert_params *params, bool *warned, const char *text)
{
    if (!*warned) {
        weir_log_printf(params->log, WEIR_LOG_WARNING, WEIR_LOG_CODE_FALLBACK, "%s: %s",
                        params->path, text);
    }
    *warned = true;
}

struct weir_meaning weir_convert_note(struct weir_meaning_notes *notes,
                                      const struct weir_convert_params *params,
                                      const AVFrame *frame)
{
    if (params->linear && weir_meaning_light_of(frame) != WEIR_LIGHT_LINEAR) {
        return (struct weir_meaning){0}; // which is refused
    }
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get((enum AVPixelFormat)frame->format);
    if (!params->keeps_alpha && format && (format->flags & AV_PIX_FMT_FLAG_ALPHA) != 0 &&
        frame->format != AV_PIX_FMT_PAL8) {
        warn(params, &notes->warned_alpha, "its alpha is left out: the codec has none");
    }
    if (weir_siting_is_interlaced(frame)) {
        warn(params, &notes->warned_fields,
             "it is interlaced, and moving edges will look like combs; deinterlace it first, with "
             "ffmpeg -vf bwdif");
    }
    return weir_meaning_note(notes, frame);
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
        return run_linear(&convert->params, frame, orientation, pixels, pitch);
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
