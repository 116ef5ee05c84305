// SPDX-License-Identifier: MIT
// Reference of dither by a pattern, in the palette of k-means.
#ifndef WEIR_TESTS_REF_PALETTE_DITHER_H
#define WEIR_TESTS_REF_PALETTE_DITHER_H

#include "tests/ref/palette_means.h"

enum ref_palette_pattern { REF_PALETTE_ORDERED, REF_PALETTE_BLUE_NOISE };

struct ref_palette_dither {
    struct ref_palette_means_params params;
    enum ref_palette_pattern pattern;
    uint32_t num_palette, palette[REF_PALETTE_MAX_MEANS]; // of ref_palette_means()
};

// Pixels in the colours of the palette: RGBA8. Those with alpha 0 stay.
void ref_palette_dither(const struct ref_palette_dither *dither, uint32_t width, uint32_t height,
                        const uint8_t *rgba, uint8_t *out);

#endif
