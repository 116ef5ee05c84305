// SPDX-License-Identifier: MIT
// What the numbers of a picture, of a pyramid's level and of a file mean, and the ways between
// them.
#ifndef WEIR_CAPTURE_FILES_PICTURE_LIGHT_H
#define WEIR_CAPTURE_FILES_PICTURE_LIGHT_H

#include <stdint.h>

enum weir_values {
    WEIR_VALUES_SRGB,   // display codes by the sRGB curve
    WEIR_VALUES_LINEAR, // linear light
    WEIR_VALUES_DATA,   // no colours: they stay as they are
};

// Turn R, G and B of an RGBA row from the one into the other; alpha is never encoded. Data and what
// is the same already stays. Encoding clamps to 0 .. 1 and makes 0 of NaN.
void weir_values_convert(float *row, uint32_t width, enum weir_values from, enum weir_values to);

#endif
