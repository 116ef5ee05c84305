// SPDX-License-Identifier: MIT
// Light: what codes stand for, the curves that bend highlights, and the matrices between primaries.
//
// Light is counted in display whites. Transfers: SMPTE ST 2084 and ARIB STD-B67, as ITU-R BT.2100
// gives them. Reference white: 203 cd/m2 (ITU-R BT.2408). Curves: the EETF of ITU-R BT.2390-10,
// 5.4.1; Hable, "Uncharted 2: HDR Lighting" (GDC 2010).
#ifndef WEIR_CAPTURE_FILES_SOURCE_LIGHT_H
#define WEIR_CAPTURE_FILES_SOURCE_LIGHT_H

#include "capture/files/source/source.h"

#define WEIR_LIGHT_WHITE 203 // [cd/m2]

// What the codes of a frame are: display codes of sRGB, or light by a transfer.
enum weir_light { WEIR_LIGHT_CODES, WEIR_LIGHT_LINEAR, WEIR_LIGHT_PQ, WEIR_LIGHT_HLG };

// Get the light of a code, 0 .. 1. HLG: that of the scene, 0 .. 1.
double weir_light_of_code(enum weir_light light, double code);

// Get the code of sRGB for light of 0 .. 1.
double weir_light_srgb_code(double light);

// Bend light. `light` and `peak` in display whites; the result is 0 .. 1 for light up to the peak.
double weir_light_curve(enum weir_tonemap tonemap, double light, double peak);

// All have the white of D65. P3 is Display P3.
enum weir_gamut { WEIR_GAMUT_SRGB, WEIR_GAMUT_P3, WEIR_GAMUT_BT2020 };

// Get the matrix that turns linear RGB of a gamut into that of sRGB, which is below 0 or above 1
// for colours outside it.
void weir_gamut_to_srgb(enum weir_gamut gamut, float matrix[3][3]);

#endif
