// SPDX-License-Identifier: MIT
// Colours and how many pixels have each, in host memory.
#ifndef WEIR_CAPTURE_WEIR_PALETTE_COLORS_H
#define WEIR_CAPTURE_WEIR_PALETTE_COLORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/weir/palette/pixels.h"

struct palette_color {
    uint32_t rgba;  // as palette_pixel() returns it
    uint64_t count; // of pixels, above 0
};

// A hash table. A zeroed one is empty and may be freed.
struct palette_colors {
    struct palette_color *slots; // those with a count of 0 are free
    size_t num_slots;            // a power of two
    size_t num;                  // distinct colours
};

void palette_colors_free(struct palette_colors *colors);

// Add the pixels of a picture, each colour with its alpha. False: no memory.
bool palette_colors_add_pixels(struct palette_colors *colors, const struct palette_pixels *pixels);

// Add the colours of another table whose alpha is not 0, as opaque colours. False: no memory.
bool palette_colors_add_visible(struct palette_colors *colors, const struct palette_colors *other);

// Get all colours: `colors->num` entries, in no order. Free it. NULL: no memory.
struct palette_color *palette_colors_list(const struct palette_colors *colors);

// A set of the 2^24 colours without alpha. A zeroed one is empty and may be freed.
struct palette_set {
    uint8_t *bits;
    uint32_t num; // distinct colours
};

void palette_set_free(struct palette_set *set);

// Add the pixels of a picture whose alpha is not 0. False: no memory.
bool palette_set_add_pixels(struct palette_set *set, const struct palette_pixels *pixels);

#endif
