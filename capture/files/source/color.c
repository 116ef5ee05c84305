// SPDX-License-Identifier: MIT
// Colour: frames in high dynamic range, in linear light or in wide gamuts become display codes of
// sRGB.
#include "capture/files/source/color.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "capture/base/thread.h"
#include "capture/files/source/floats.h"

enum { NUM_CODES = 65536, NUM_FACTORS = 4096, MAX_THREADS = 16, LEAST_ROWS = 32 };

struct weir_color_tables {
    struct weir_meaning meaning;
    float light[NUM_CODES];         // of a code
    uint16_t codes[NUM_CODES];      // of the square root of light
    float factors[NUM_FACTORS + 1]; // of the curve, by the square root of light, up to the peak
    float matrix[3][3];             // from the gamut to sRGB's
};

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
    weir_gamut_to_srgb(tables->meaning.gamut, tables->matrix);
}

// A part of the rows of a frame, for a thread.
struct part {
    const struct weir_color_tables *tables;
    const AVFrame *source; // floats, or `target` itself
    bool divides;
    AVFrame *target;
    int first, end;
    pthread_t thread;
};

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
        const float *row = tables->matrix[i];
        own[i] = row[0] * rgb[0] + row[1] * rgb[1] + row[2] * rgb[2];
    }
    const float factor = factor_of(tables, fmaxf(fmaxf(own[0], own[1]), fmaxf(own[2], 0)));
    for (int i = 0; i < 3; i++) {
        texel[i] = code_of(tables, own[i] * factor);
    }
}

static void *map_part(void *user)
{
    const struct part *part = user;
    const struct weir_color_tables *tables = part->tables;
    const bool is_direct = part->source != part->target;
    for (int y = part->first; y < part->end; y++) {
        uint16_t *row = (uint16_t *)(void *)(part->target->data[0] +
                                             (ptrdiff_t)y * part->target->linesize[0]);
        for (int x = 0; x < part->target->width; x++) {
            uint16_t *texel = row + 4 * (size_t)x;
            float rgba[4] = {tables->light[texel[0]], tables->light[texel[1]],
                             tables->light[texel[2]]};
            if (is_direct) {
                weir_floats_read(part->source, x, y, rgba);
                for (int c = 0; c < 3 && part->divides && rgba[3] > 0; c++) {
                    rgba[c] /= rgba[3];
                }
                texel[3] = (uint16_t)(fminf(fmaxf(rgba[3], 0), 1) * UINT16_MAX + 0.5f);
            }
            map_texel(tables, rgba, texel);
        }
    }
    return NULL;
}

// Map all rows, on as many threads as there are cores, or on this one; what gets no thread is done
// here.
static void map_rows(struct weir_color *color, const AVFrame *source)
{
    struct part parts[MAX_THREADS];
    const int height = color->codes->height;
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    const int most = height / LEAST_ROWS + 1, limit = most < MAX_THREADS ? most : MAX_THREADS;
    const int num = color->is_alone || cores < 1 ? 1 : cores < limit ? (int)cores : limit;
    int started = 0;
    for (int i = 0; i < num; i++) {
        parts[i] = (struct part){
            .tables = color->tables,
            .source = source,
            .divides = color->divides,
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
    color->codes->format = AV_PIX_FMT_RGBA64;
    color->codes->width = frame->width;
    color->codes->height = frame->height;
    color->codes->color_range = AVCOL_RANGE_JPEG;
    return av_frame_get_buffer(color->codes, WEIR_SOURCE_ALIGNMENT) < 0 ? WEIR_ERROR_OUT_OF_MEMORY
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
    enum weir_result result = make_tables(color, meaning);
    if (result == WEIR_OK) {
        result = make_frame(color, frame);
    }
    // swscale clips floats to 0 .. 1.
    const bool direct = weir_floats_are_plain(frame);
    if (result == WEIR_OK && !direct) {
        result = weir_scale_run(&color->scale, frame, (uint32_t)frame->width,
                                (uint32_t)frame->height, color->codes->data[0],
                                (size_t)color->codes->linesize[0]);
    }
    if (result != WEIR_OK) {
        return result;
    }
    color->has_divided = direct && color->divides;
    map_rows(color, direct ? frame : color->codes);
    *codes = color->codes;
    return WEIR_OK;
}
