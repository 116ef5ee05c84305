// SPDX-License-Identifier: MIT
// Alpha: colours that are multiplied by it, and that are not.
#ifndef WEIR_CAPTURE_FILES_SOURCE_ALPHA_H
#define WEIR_CAPTURE_FILES_SOURCE_ALPHA_H

#include "capture/files/source/rows.h"

// Multiply codes of 8 or 16 bits by alpha, which is 0 to 1, or divide them, each to the nearest
// code, halves upwards. Colours above their alpha become the largest code; where alpha is 0, they
// are kept when they are divided.
void weir_alpha_multiply(const struct weir_rows *rows);
void weir_alpha_divide(const struct weir_rows *rows);

#endif
