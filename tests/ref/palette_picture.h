// SPDX-License-Identifier: MIT
// Pictures with an exact number of colours, to time and to test palette reduction with.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// Fill `rgba`: width x height opaque RGBA8 pixels of exactly `num_colors` colours, much like a
// photograph: some dozens of areas, each of one hue under soft light, with noise; a few colours
// have most of the pixels. The same for a seed on every machine. False: out of memory, no colour,
// or more colours than pixels or than there are.
bool ref_palette_picture(uint32_t width, uint32_t height, uint32_t num_colors, uint64_t seed,
                         uint8_t *rgba);
