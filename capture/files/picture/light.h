// SPDX-License-Identifier: MIT
// The meaning of the values in a picture, a pyramid's level or a file, and the conversions between
// them.
#ifndef WEIR_CAPTURE_FILES_PICTURE_LIGHT_H
#define WEIR_CAPTURE_FILES_PICTURE_LIGHT_H

#include <stdint.h>

enum weir_values {
    WEIR_VALUES_SRGB,   // display codes by the sRGB curve
    WEIR_VALUES_LINEAR, // linear light
    WEIR_VALUES_DATA,   // not colours (normals, heights): never converted
};

// Convert R, G and B of an RGBA row; alpha stays unchanged. The row stays unchanged if `from`
// equals `to` or one of them is DATA. Encoding to sRGB clamps to 0 .. 1 and turns NaN into 0.
void weir_values_convert(float *row, uint32_t width, enum weir_values from, enum weir_values to);

#endif
