// SPDX-License-Identifier: MIT
// Colour: rows of light become display codes of sRGB, or light in its primaries. What codes stand
// for, the curves that bend highlights, and the matrices between primaries.
//
// Transfers: SMPTE ST 2084 and ARIB STD-B67, as ITU-R BT.2100 gives them. Reference white: 203
// cd/m2 (ITU-R BT.2408). Curves: the EETF of ITU-R BT.2390-10, 5.4.1; Hable, "Uncharted 2: HDR
// Lighting" (GDC 2010).
#include "capture/files/source/convert.h"

#include <math.h>
#include <stdlib.h>

#include "capture/base/small_float.h"

static const double white = WEIR_LIGHT_WHITE;

// Of PQ: SMPTE ST 2084.
static const double m1 = 2610.0 / 16384, m2 = 2523.0 / 32;
static const double c1 = 107.0 / 128, c2 = 2413.0 / 128, c3 = 2392.0 / 128;

static double pq_light(double code)
{
    const double power = pow(code, 1 / m2);
    return 10000 * pow(fmax(power - c1, 0) / (c2 - c3 * power), 1 / m1); // [cd/m2]
}

static double pq_code(double light)
{
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

// Get the light of a code in display whites; of HLG that of the scene, 0 .. 1.
static double light_of_code(enum weir_light light, double code)
{
    switch (light) {
    case WEIR_LIGHT_PQ:
        return pq_light(code) / white;
    case WEIR_LIGHT_HLG:
        return hlg_light(code);
    case WEIR_LIGHT_LINEAR:
        return code;
    default:
        return srgb_light(code);
    }
}

static double bt2390(double light, double peak)
{
    const double top = pq_code(peak * white), max = pq_code(white) / top;
    const double knee = 1.5 * max - 0.5, code = pq_code(light * white) / top;
    if (max >= 1 || code <= knee) {
        return light;
    }
    const double t = (code - knee) / (1 - knee), t2 = t * t, t3 = t2 * t;
    const double bent = (2 * t3 - 3 * t2 + 1) * knee + (t3 - 2 * t2 + t) * (1 - knee) +
                        (3 * t2 - 2 * t3) * max;
    return pq_light(bent * top) / white;
}

static double hable(double light)
{
    const double a = 0.15, b = 0.50, c = 0.10, d = 0.20, e = 0.02, f = 0.30;
    return (light * (a * light + c * b) + d * e) / (light * (a * light + b) + d * f) - e / f;
}

// Bend light, in display whites: it is 0 .. 1 up to the peak.
static double curve_of(enum weir_tonemap tonemap, double light, double peak)
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

// Linear RGB of a gamut becomes that of sRGB, below 0 or above 1 for colours outside it. By the
// chromaticities of the primaries and of D65 (SMPTE RP 177; SMPTE EG 432-1; ITU-R BT.2020).
static const float gamut_to_srgb[][3][3] = {
    [WEIR_GAMUT_SRGB] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
    [WEIR_GAMUT_P3] = {{1.22494018f, -0.224940181f, 0},
                       {-0.0420569554f, 1.04205692f, 0},
                       {-0.0196375549f, -0.0786360428f, 1.09827363f}},
    [WEIR_GAMUT_BT2020] = {{1.66049099f, -0.58764112f, -0.0728498623f},
                           {-0.124550477f, 1.13289988f, -0.00834942237f},
                           {-0.0181507636f, -0.100578897f, 1.11872971f}},
};

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
        tables->light[i] = (float)light_of_code(tables->meaning.light, code);
        tables->codes[i] = (uint16_t)lrint(srgb_code(code * code) * (NUM_CODES - 1));
    }
    tables->factors[0] = 1;
    for (int i = 1; i <= NUM_FACTORS; i++) {
        const double root = (double)i / NUM_FACTORS, light = root * root * peak;
        tables->factors[i] = (float)(curve_of(tonemap, light, peak) / light);
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
        const float *row = gamut_to_srgb[tables->meaning.gamut][i];
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
