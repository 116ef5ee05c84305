// SPDX-License-Identifier: MIT
// Gamuts: from the primaries of one to those of sRGB.
#include "capture/files/source/gamut.h"

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
