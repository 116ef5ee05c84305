// SPDX-License-Identifier: MIT
// Random pictures for palette reductions.
#ifndef WEIR_TESTS_GPU_PALETTE_DRAW_H
#define WEIR_TESTS_GPU_PALETTE_DRAW_H

#include "tests/gpu/harness.h"

// A code near another: at most `spread` away.
uint8_t palette_draw_near(struct harness *h, uint32_t code, uint32_t spread);

// Every pixel this colour, 0xRRGGBB.
void palette_draw_one(uint32_t color, uint8_t alpha, uint32_t num_pixels, uint8_t *rgba);

// Some colours, each with others near it; some pixels transparent, whatever their colour.
void palette_draw_pixels(struct harness *h, uint32_t num_pixels, uint8_t *rgba);

// Every pixel another colour, opaque: part of a cube of codes `step` apart, `side` of them an axis.
void palette_draw_cube(struct harness *h, uint32_t side, uint32_t step, uint32_t num_pixels,
                       uint8_t *rgba);

// Mostly one that joins some colours and not all.
float palette_draw_radius(struct harness *h);

#endif
