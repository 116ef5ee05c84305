// SPDX-License-Identifier: MIT
// Colour: frames in high dynamic range, in linear light or in wide gamuts become display codes of
// sRGB.
//
// Light is counted in display whites. Transfers: SMPTE ST 2084 and ARIB STD-B67, as ITU-R BT.2100
// gives them. Reference white: 203 cd/m2 (ITU-R BT.2408). Curves: the EETF of ITU-R BT.2390-10,
// 5.4.1; Hable, "Uncharted 2: HDR Lighting" (GDC 2010).
#include "capture/files/source/color.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <libavutil/mastering_display_metadata.h>
#include <libavutil/pixdesc.h>

#include "capture/base/size.h"
#include "capture/base/thread.h"

static const float white = 203, default_peak = 1000; // [cd/m2]
static const float float_limit = 65504;              // what is further off is clipped all the same

enum light { LIGHT_CODES, LIGHT_LINEAR, LIGHT_PQ, LIGHT_HLG };
enum gamut { GAMUT_SRGB, GAMUT_P3, GAMUT_BT2020 };

struct meaning {
    enum light light;
    enum gamut gamut;
    float peak; // of light [cd/m2]
};

enum { NUM_CODES = 65536, NUM_FACTORS = 4096, MAX_THREADS = 16, LEAST_ROWS = 32 };

struct weir_color_tables {
    struct meaning meaning;
    float light[NUM_CODES];         // of a code
    uint16_t codes[NUM_CODES];      // of the square root of light
    float factors[NUM_FACTORS + 1]; // of the curve, by the square root of light, up to the peak
    float matrix[3][3];             // from the gamut to sRGB's
};

enum weir_result weir_color_init(struct weir_color *color, const char *path,
                                 enum weir_tonemap tonemap, const struct weir_log *log)
{
    *color = (struct weir_color){.path = path, .log = log, .tonemap = tonemap};
    return weir_scale_init(&color->scale, path, AV_PIX_FMT_RGBA64, log);
}

void weir_color_finish(struct weir_color *color)
{
    weir_scale_finish(&color->scale);
    free(color->tables);
    av_frame_free(&color->codes);
    *color = (struct weir_color){0};
}

static double pq_light(double code)
{
    const double m1 = 2610.0 / 16384, m2 = 2523.0 / 32, c1 = 107.0 / 128, c2 = 2413.0 / 128,
                 c3 = 2392.0 / 128;
    const double power = pow(code, 1 / m2);
    return 10000 * pow(fmax(power - c1, 0) / (c2 - c3 * power), 1 / m1); // [cd/m2]
}

static double pq_code(double light)
{
    const double m1 = 2610.0 / 16384, m2 = 2523.0 / 32, c1 = 107.0 / 128, c2 = 2413.0 / 128,
                 c3 = 2392.0 / 128;
    const double power = pow(light / 10000, m1);
    return pow((c1 + c2 * power) / (1 + c3 * power), m2);
}

// The light of the scene, 0 .. 1.
static double hlg_light(double code)
{
    const double a = 0.17883277, b = 1 - 4 * a, c = 0.5 - a * log(4 * a);
    return code <= 0.5 ? code * code / 3 : (exp((code - c) / a) + b) / 12;
}

static double srgb_light(double code)
{
    return code <= 0.04045 ? code / 12.92 : pow((code + 0.055) / 1.055, 2.4);
}

static double srgb_code(double light)
{
    return light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055;
}

static double light_of_code(enum light light, double code)
{
    switch (light) {
    case LIGHT_PQ:
        return pq_light(code) / (double)white;
    case LIGHT_HLG:
        return hlg_light(code);
    case LIGHT_LINEAR:
        return code;
    default:
        return srgb_light(code);
    }
}

static double bt2390(double light, double peak)
{
    const double top = pq_code(peak * (double)white), max = pq_code((double)white) / top;
    const double knee = 1.5 * max - 0.5, code = pq_code(light * (double)white) / top;
    if (max >= 1 || code <= knee) {
        return light;
    }
    const double t = (code - knee) / (1 - knee), t2 = t * t, t3 = t2 * t;
    const double bent = (2 * t3 - 3 * t2 + 1) * knee + (t3 - 2 * t2 + t) * (1 - knee) +
                        (3 * t2 - 2 * t3) * max;
    return pq_light(bent * top) / (double)white;
}

static double hable(double light)
{
    const double a = 0.15, b = 0.50, c = 0.10, d = 0.20, e = 0.02, f = 0.30;
    return (light * (a * light + c * b) + d * e) / (light * (a * light + b) + d * f) - e / f;
}

// `light` and `peak` in display whites; the result is 0 .. 1 for light up to the peak.
static double curve(enum weir_tonemap tonemap, double light, double peak)
{
    switch (tonemap) {
    case WEIR_TONEMAP_BT2390:
        return bt2390(light, peak);
    case WEIR_TONEMAP_HABLE:
        return hable(light) / hable(peak);
    default:
        return light;
    }
}

static void invert(const double m[3][3], double out[3][3])
{
    const double determinant = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
                               m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                               m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            const int a = (j + 1) % 3, b = (j + 2) % 3, c = (i + 1) % 3, d = (i + 2) % 3;
            out[i][j] = (m[a][c] * m[b][d] - m[a][d] * m[b][c]) / determinant;
        }
    }
}

// RGB to XYZ, from the chromaticities of the primaries and of D65 (SMPTE RP 177).
static void xyz_matrix(enum gamut gamut, double matrix[3][3])
{
    static const double primaries[][3][2] = {
        [GAMUT_SRGB] = {{0.640, 0.330}, {0.300, 0.600}, {0.150, 0.060}},
        [GAMUT_P3] = {{0.680, 0.320}, {0.265, 0.690}, {0.150, 0.060}},
        [GAMUT_BT2020] = {{0.708, 0.292}, {0.170, 0.797}, {0.131, 0.046}},
    };
    static const double d65[3] = {0.3127 / 0.3290, 1, (1 - 0.3127 - 0.3290) / 0.3290};
    double inverse[3][3];
    for (int c = 0; c < 3; c++) {
        const double x = primaries[gamut][c][0], y = primaries[gamut][c][1];
        matrix[0][c] = x / y;
        matrix[1][c] = 1;
        matrix[2][c] = (1 - x - y) / y;
    }
    invert((const double(*)[3])matrix, inverse);
    for (int c = 0; c < 3; c++) {
        const double share = inverse[c][0] * d65[0] + inverse[c][1] * d65[1] +
                             inverse[c][2] * d65[2];
        for (int i = 0; i < 3; i++) {
            matrix[i][c] *= share;
        }
    }
}

static void fill_matrix(struct weir_color_tables *tables)
{
    double from[3][3], srgb[3][3], to[3][3];
    xyz_matrix(tables->meaning.gamut, from);
    xyz_matrix(GAMUT_SRGB, srgb);
    invert((const double(*)[3])srgb, to);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            tables->matrix[i][j] = (float)(to[i][0] * from[0][j] + to[i][1] * from[1][j] +
                                           to[i][2] * from[2][j]);
        }
    }
}

static void fill_tables(struct weir_color_tables *tables, enum weir_tonemap tonemap)
{
    const double peak = (double)(tables->meaning.peak / white);
    for (int i = 0; i < NUM_CODES; i++) {
        const double code = (double)i / (NUM_CODES - 1);
        tables->light[i] = (float)light_of_code(tables->meaning.light, code);
        tables->codes[i] = (uint16_t)lrint(srgb_code(code * code) * (NUM_CODES - 1));
    }
    tables->factors[0] = 1;
    for (int i = 1; i <= NUM_FACTORS; i++) {
        const double root = (double)i / NUM_FACTORS, light = root * root * peak;
        tables->factors[i] = (float)(curve(tonemap, light, peak) / light);
    }
    if (tonemap == WEIR_TONEMAP_HABLE) {
        tables->factors[0] = tables->factors[1];
    }
    fill_matrix(tables);
}

static bool is_float(const AVFrame *frame)
{
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get((enum AVPixelFormat)frame->format);
    return format && (format->flags & AV_PIX_FMT_FLAG_FLOAT) != 0;
}

static enum light light_of(const AVFrame *frame)
{
    switch (frame->color_trc) {
    case AVCOL_TRC_SMPTE2084:
        return LIGHT_PQ;
    case AVCOL_TRC_ARIB_STD_B67:
        return LIGHT_HLG;
    case AVCOL_TRC_LINEAR:
        return LIGHT_LINEAR;
    case AVCOL_TRC_UNSPECIFIED:
    case AVCOL_TRC_RESERVED0:
        return is_float(frame) ? LIGHT_LINEAR : LIGHT_CODES;
    default:
        return LIGHT_CODES;
    }
}

// What an input does not say of HDR is as in BT.2100.
static enum gamut gamut_of(const AVFrame *frame, enum light light)
{
    switch (frame->color_primaries) {
    case AVCOL_PRI_BT2020:
        return GAMUT_BT2020;
    case AVCOL_PRI_SMPTE432:
        return GAMUT_P3;
    case AVCOL_PRI_UNSPECIFIED:
    case AVCOL_PRI_RESERVED0:
        return light == LIGHT_PQ || light == LIGHT_HLG ? GAMUT_BT2020 : GAMUT_SRGB;
    default:
        return GAMUT_SRGB;
    }
}

// The note comes with some frames only, and holds until the next one.
static void read_peak(struct weir_color *color, const AVFrame *frame)
{
    const AVFrameSideData *data = av_frame_get_side_data(frame, AV_FRAME_DATA_CONTENT_LIGHT_LEVEL);
    const unsigned max_cll =
        data ? ((const AVContentLightMetadata *)(const void *)data->data)->MaxCLL : 0;
    data = av_frame_get_side_data(frame, AV_FRAME_DATA_MASTERING_DISPLAY_METADATA);
    const AVMasteringDisplayMetadata *display = data ? (const void *)data->data : NULL;
    const double mastered = display && display->has_luminance ? av_q2d(display->max_luminance) : 0;
    if (max_cll > 0 || mastered > 0) {
        const float peak = max_cll > 0 ? (float)max_cll : (float)mastered;
        color->peak = fminf(fmaxf(peak, white), 10000);
    }
}

static struct meaning meaning_of(struct weir_color *color, const AVFrame *frame)
{
    struct meaning meaning = {.light = light_of(frame), .peak = white};
    meaning.gamut = gamut_of(frame, meaning.light);
    const bool is_hdr = meaning.light == LIGHT_PQ || meaning.light == LIGHT_HLG;
    if (is_hdr) {
        read_peak(color, frame);
        // HLG is shown on a display of 1000 cd/m2 (BT.2100, table 5).
        meaning.peak = meaning.light == LIGHT_PQ && color->peak > 0 ? color->peak : default_peak;
    }
    return meaning;
}

static void tell(struct weir_color *color, const struct meaning *meaning)
{
    static const char *const curves[] = {
        [WEIR_TONEMAP_BT2390] = "by BT.2390",
        [WEIR_TONEMAP_HABLE] = "by Hable's curve",
        [WEIR_TONEMAP_CLIP] = "by clipping",
    };
    const bool is_pq = meaning->light == LIGHT_PQ;
    if (color->told || (!is_pq && meaning->light != LIGHT_HLG)) {
        return;
    }
    color->told = true;
    if (color->tonemap == WEIR_TONEMAP_OFF) {
        weir_log_printf(color->log, WEIR_LOG_WARNING, WEIR_LOG_CODE_FALLBACK,
                        "%s: HDR (%s) is not tone-mapped and looks grey", color->path,
                        is_pq ? "PQ" : "HLG");
        return;
    }
    weir_log_printf(color->log, WEIR_LOG_WARNING, WEIR_LOG_CODE_FALLBACK,
                    "%s: HDR (%s) is tone-mapped %s, from %g cd/m2; --tonemap chooses another "
                    "curve",
                    color->path, is_pq ? "PQ" : "HLG", curves[color->tonemap],
                    (double)meaning->peak);
}

// A part of the rows of a frame, for a thread.
struct part {
    const struct weir_color_tables *tables;
    const AVFrame *source; // floats, or `target` itself
    AVFrame *target;
    int first, end;
    pthread_t thread;
};

static float factor_of(const struct weir_color_tables *tables, float light)
{
    const float whites = tables->meaning.peak / white;
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
    if (tables->meaning.light == LIGHT_HLG) {
        // The light of the display (BT.2100, table 5: the OOTF).
        const float scene = 0.2627f * rgb[0] + 0.6780f * rgb[1] + 0.0593f * rgb[2];
        const float gain = powf(scene, 0.2f) * tables->meaning.peak / white;
        rgb[0] *= gain;
        rgb[1] *= gain;
        rgb[2] *= gain;
    }
    float own[3];
    for (int i = 0; i < 3; i++) {
        const float *row = tables->matrix[i];
        own[i] = row[0] * rgb[0] + row[1] * rgb[1] + row[2] * rgb[2];
    }
    const float factor = factor_of(tables, fmaxf(fmaxf(own[0], own[1]), fmaxf(own[2], 0)));
    for (int i = 0; i < 3; i++) {
        texel[i] = code_of(tables, own[i] * factor);
    }
    texel[3] = UINT16_MAX;
}

// Read one texel of a frame of native floats, of one, three or four channels. What is not a number
// is black.
static void read_floats(const AVFrame *frame, const AVPixFmtDescriptor *format, int x, int y,
                        float rgb[3])
{
    for (int c = 0; c < 3; c++) {
        const AVComponentDescriptor *at = &format->comp[format->nb_components >= 3 ? c : 0];
        memcpy(rgb + c,
               frame->data[at->plane] + (ptrdiff_t)y * frame->linesize[at->plane] +
                   (ptrdiff_t)x * at->step + at->offset,
               sizeof(*rgb));
        rgb[c] = fminf(fmaxf(rgb[c], -float_limit), float_limit);
    }
}

static void *map_part(void *user)
{
    const struct part *part = user;
    const struct weir_color_tables *tables = part->tables;
    const AVPixFmtDescriptor *floats = part->source == part->target
                                           ? NULL
                                           : av_pix_fmt_desc_get(
                                                 (enum AVPixelFormat)part->source->format);
    for (int y = part->first; y < part->end; y++) {
        uint16_t *row = (uint16_t *)(void *)(part->target->data[0] +
                                             (ptrdiff_t)y * part->target->linesize[0]);
        for (int x = 0; x < part->target->width; x++) {
            uint16_t *texel = row + 4 * (size_t)x;
            float rgb[3] = {tables->light[texel[0]], tables->light[texel[1]],
                            tables->light[texel[2]]};
            if (floats) {
                read_floats(part->source, floats, x, y, rgb);
            }
            map_texel(tables, rgb, texel);
        }
    }
    return NULL;
}

// Map all rows, on as many threads as there are cores; what gets no thread is done here.
static void map_rows(struct weir_color *color, const AVFrame *source)
{
    struct part parts[MAX_THREADS];
    const int height = color->codes->height;
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    const int most = height / LEAST_ROWS + 1, limit = most < MAX_THREADS ? most : MAX_THREADS;
    const int num = cores < 1 ? 1 : cores < limit ? (int)cores : limit;
    int started = 0;
    for (int i = 0; i < num; i++) {
        parts[i] = (struct part){
            .tables = color->tables,
            .source = source,
            .target = color->codes,
            .first = (int)((int64_t)height * i / num),
            .end = (int)((int64_t)height * (i + 1) / num),
        };
    }
    while (started < num - 1 &&
           weir_thread_start(&parts[started].thread, "weir-color", map_part, &parts[started])) {
        started++;
    }
    for (int i = started; i < num; i++) {
        map_part(&parts[i]);
    }
    for (int i = 0; i < started; i++) {
        pthread_join(parts[i].thread, NULL);
    }
}

static enum weir_result make_tables(struct weir_color *color, const struct meaning *meaning)
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
    const bool is_hdr = meaning->light == LIGHT_PQ || meaning->light == LIGHT_HLG;
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
    color->codes->format = AV_PIX_FMT_RGBA64;
    color->codes->width = frame->width;
    color->codes->height = frame->height;
    color->codes->color_range = AVCOL_RANGE_JPEG;
    return av_frame_get_buffer(color->codes, WEIR_SOURCE_ALIGNMENT) < 0 ? WEIR_ERROR_OUT_OF_MEMORY
                                                                        : WEIR_OK;
}

// swscale clips floats to 0 .. 1, so they are read here where they are plain.
static bool is_plain_float(const AVFrame *frame)
{
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get((enum AVPixelFormat)frame->format);
    const uint64_t big_endian = AV_NE(AV_PIX_FMT_FLAG_BE, 0);
    return is_float(frame) && format->comp[0].depth == 32 &&
           (format->flags & AV_PIX_FMT_FLAG_BE) == big_endian;
}

enum weir_result weir_color_run(struct weir_color *color, const AVFrame *frame,
                                const AVFrame **codes)
{
    const struct meaning meaning = meaning_of(color, frame);
    tell(color, &meaning);
    const bool kept = color->tonemap == WEIR_TONEMAP_OFF && meaning.light != LIGHT_LINEAR;
    if (kept || (meaning.light == LIGHT_CODES && meaning.gamut == GAMUT_SRGB)) {
        *codes = frame;
        return WEIR_OK;
    }
    enum weir_result result = make_tables(color, &meaning);
    if (result == WEIR_OK) {
        result = make_frame(color, frame);
    }
    const bool direct = is_plain_float(frame);
    if (result == WEIR_OK && !direct) {
        result = weir_scale_run(&color->scale, frame, (uint32_t)frame->width,
                                (uint32_t)frame->height, color->codes->data[0],
                                (size_t)color->codes->linesize[0]);
    }
    if (result != WEIR_OK) {
        return result;
    }
    map_rows(color, direct ? frame : color->codes);
    *codes = color->codes;
    return WEIR_OK;
}
