// SPDX-License-Identifier: MIT
// A pattern of blue noise.
#ifndef WEIR_PALETTE_BLUE_NOISE_H
#define WEIR_PALETTE_BLUE_NOISE_H

#include <stdint.h>

#include "shaders/palette/constants.h"

// Rows of a square that repeats without seams: each number from 0 once.
extern const uint16_t weir_palette_blue_noise[WEIR_PALETTE_NOISE_SIDE * WEIR_PALETTE_NOISE_SIDE];

#endif
