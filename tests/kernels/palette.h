// SPDX-License-Identifier: MIT
// The kernels of palettes by k-means, compiled for the processor. Those of mean shift share the
// work of a subgroup: tests/ref/palette.h has that function.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <weir/palette.h>

struct kernel_palette;

// As a weir_palette with these params is, of which `like` and `max_colors` are not read.
struct kernel_palette *kernel_palette_create(const struct weir_palette_params *params);
void kernel_palette_destroy(struct kernel_palette *palette);

// Find the palette of RGBA pixels, of which those with alpha 0 do not count.
void kernel_palette_find(struct kernel_palette *palette, const struct weir_palette_start *start,
                         size_t num_pixels, const uint8_t *rgba);

// Write pixels in the colours of the palette that was found last.
void kernel_palette_map(struct kernel_palette *palette, uint32_t width, uint32_t height,
                        const uint8_t *rgba, uint8_t *out);

// With `live`: map a frame as weir_cmd_palette() does. A palette is found where `anew` says so, for
// the first frame, and for one with another number of colours.
void kernel_palette_frame(struct kernel_palette *palette, const struct weir_palette_start *start,
                          bool anew, uint32_t width, uint32_t height, const uint8_t *rgba,
                          uint8_t *out);

// As weir_palette_get_colors() has them, but with `live` in no order, and some twice; and as
// weir_palette_get_stats() has it.
uint32_t kernel_palette_get_colors(const struct kernel_palette *palette,
                                   uint32_t colors[WEIR_PALETTE_MAX_NUM_COLORS]);
uint32_t kernel_palette_get_num_new_colors(const struct kernel_palette *palette);
