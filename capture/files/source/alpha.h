// SPDX-License-Identifier: MIT
// Alpha: colours that are multiplied by it, and that are not.
#ifndef WEIR_CAPTURE_FILES_SOURCE_ALPHA_H
#define WEIR_CAPTURE_FILES_SOURCE_ALPHA_H

#include <stddef.h>
#include <stdint.h>

// Multiply the codes of rows of RGBA8 texels by alpha / 255, or divide them, each to the nearest
// code, halves upwards. Colours above their alpha become 255; where alpha is 0, they are kept when
// they are divided. Rows are `pitch` bytes apart.
void weir_alpha_multiply(uint8_t *pixels, size_t pitch, uint32_t width, uint32_t height);
void weir_alpha_divide(uint8_t *pixels, size_t pitch, uint32_t width, uint32_t height);

#endif
