// SPDX-License-Identifier: MIT
// Light: what codes stand for, the curves that bend highlights, and the matrices between primaries.
#include "capture/files/source/color.h"

#include <math.h>

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

double weir_light_srgb_code(double light)
{
    return light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055;
}

double weir_light_of_code(enum weir_light light, double code)
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

double weir_light_curve(enum weir_tonemap tonemap, double light, double peak)
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
static void xyz_matrix(enum weir_gamut gamut, double matrix[3][3])
{
    static const double primaries[][3][2] = {
        [WEIR_GAMUT_SRGB] = {{0.640, 0.330}, {0.300, 0.600}, {0.150, 0.060}},
        [WEIR_GAMUT_P3] = {{0.680, 0.320}, {0.265, 0.690}, {0.150, 0.060}},
        [WEIR_GAMUT_BT2020] = {{0.708, 0.292}, {0.170, 0.797}, {0.131, 0.046}},
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

void weir_gamut_to_srgb(enum weir_gamut gamut, float matrix[3][3])
{
    double from[3][3], srgb[3][3], to[3][3];
    xyz_matrix(gamut, from);
    xyz_matrix(WEIR_GAMUT_SRGB, srgb);
    invert((const double(*)[3])srgb, to);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            matrix[i][j] = (float)(to[i][0] * from[0][j] + to[i][1] * from[1][j] +
                                   to[i][2] * from[2][j]);
        }
    }
}
