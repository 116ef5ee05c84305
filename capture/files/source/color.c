// SPDX-License-Identifier: MIT
// Colour: rows of light become display codes of sRGB, or light in its primaries.
#include "capture/files/source/convert.h"

#include <math.h>
#include <stdlib.h>

#include "capture/base/small_float.h"

enum { NUM_CODES = 65536, NUM_FACTORS = 4096 };

struct weir_color_tables {
    struct weir_meaning meaning;
    float light[NUM_CODES];         // of a code
    uint16_t codes[NUM_CODES];      // of the square root of light
    float factors[NUM_FACTORS + 1]; // of the curve, by the square root of light, up to the peak
};

void weir_color_finish(struct weir_color *color)
{
    free(color->tables);
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
    const float at = sqrtf(light < whites ? light / whites : 1) * NUM_FACTORS;
    const int below = at < NUM_FACTORS ? (int)at : NUM_FACTORS - 1;
    const float *factors = tables->factors + below;
    return factors[0] + (factors[1] - factors[0]) * (at - (float)below);
}

static uint16_t code_of(const struct weir_color_tables *tables, float light)
{
    return light > 0 ? tables->codes[(int)(sqrtf(light < 1 ? light : 1) * (NUM_CODES - 1) + 0.5f)]
                     : 0;
}

bool weir_color_is_kept(const struct weir_color *color, const struct weir_meaning *meaning)
{
    return (color->tonemap == WEIR_TONEMAP_OFF && meaning->light != WEIR_LIGHT_LINEAR) ||
           (meaning->light == WEIR_LIGHT_CODES && meaning->gamut == WEIR_GAMUT_SRGB);
}

enum weir_result weir_color_prepare(struct weir_color *color, const struct weir_meaning *meaning)
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

static float largest_of(const float rgb[3])
{
    float largest = 0;
    for (int c = 0; c < 3; c++) {
        largest = rgb[c] > largest ? rgb[c] : largest;
    }
    return largest;
}

// The light of the display (BT.2100, table 5: the OOTF).
static void show_hlg(const struct weir_color_tables *tables, float rgb[3])
{
    const float scene = 0.2627f * rgb[0] + 0.6780f * rgb[1] + 0.0593f * rgb[2];
    const float gain = powf(scene, 0.2f) * tables->meaning.peak / WEIR_LIGHT_WHITE;
    for (int c = 0; c < 3; c++) {
        rgb[c] *= gain;
    }
}

// One texel, from the light of its channels.
static void map_texel(const struct weir_color *color, float rgb[3], int32_t texel[3])
{
    const struct weir_color_tables *tables = color->tables;
    if (tables->meaning.light == WEIR_LIGHT_HLG) {
        show_hlg(tables, rgb);
    }
    float own[3];
    for (int i = 0; i < 3; i++) {
        const float *row = weir_gamut_to_srgb[tables->meaning.gamut][i];
        own[i] = row[0] * rgb[0] + row[1] * rgb[1] + row[2] * rgb[2];
    }
    const float factor = factor_of(tables, largest_of(own));
    for (int i = 0; i < 3; i++) {
        texel[i] = color->makes_halves ? weir_half_from(own[i]) : code_of(tables, own[i] * factor);
    }
}

void weir_color_map(const struct weir_color *color, const float *const light[4],
                    int32_t *const channels[4], int num)
{
    for (int x = 0; x < num; x++) {
        float rgb[3];
        int32_t texel[3];
        for (int c = 0; c < 3; c++) {
            rgb[c] = light ? light[c][x] : color->tables->light[channels[c][x]];
        }
        for (int c = 0; c < 3 && light && light[3] && color->divides && light[3][x] > 0; c++) {
            rgb[c] /= light[3][x];
        }
        map_texel(color, rgb, texel);
        for (int c = 0; c < 3; c++) {
            channels[c][x] = texel[c];
        }
        if (color->makes_halves) {
            channels[3][x] = weir_half_from(light && light[3] ? light[3][x] : 1);
        }
    }
}
