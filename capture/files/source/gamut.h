// SPDX-License-Identifier: MIT
// Gamuts: from the primaries of one to those of sRGB.
#ifndef WEIR_CAPTURE_FILES_SOURCE_GAMUT_H
#define WEIR_CAPTURE_FILES_SOURCE_GAMUT_H

// All have the white of D65. P3 is Display P3.
enum weir_gamut { WEIR_GAMUT_SRGB, WEIR_GAMUT_P3, WEIR_GAMUT_BT2020 };

// Get the matrix that turns linear RGB of a gamut into that of sRGB, which is below 0 or above 1
// for colours outside it.
void weir_gamut_to_srgb(enum weir_gamut gamut, float matrix[3][3]);

#endif
