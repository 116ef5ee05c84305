// SPDX-License-Identifier: MIT
// What the numbers of a picture, of a pyramid's level and of a file mean, and the ways between them.
#ifndef WEIR_CAPTURE_CLI_MIPS_LIGHT_H
#define WEIR_CAPTURE_CLI_MIPS_LIGHT_H

#include <stdint.h>

enum mips_values {
    MIPS_VALUES_SRGB,   // display codes by the sRGB curve
    MIPS_VALUES_LINEAR, // linear light
    MIPS_VALUES_DATA,   // no colours: they stay as they are
};

// Turn R, G and B of an RGBA row from the one into the other; alpha is never encoded. Data and what is the
// same already stays. Encoding clamps to 0 .. 1 and makes 0 of NaN.
void mips_light_convert(float *row, uint32_t width, enum mips_values from, enum mips_values to);

#endif
