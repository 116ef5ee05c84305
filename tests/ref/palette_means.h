// SPDX-License-Identifier: MIT
// Reference of palette reduction by k-means: the best N colours, bit for bit what the kernels
// must compute.
#ifndef WEIR_TESTS_REF_PALETTE_MEANS_H
#define WEIR_TESTS_REF_PALETTE_MEANS_H

#include <stdbool.h>
#include <stdint.h>

enum { REF_PALETTE_MAX_MEANS = 256 };

struct ref_palette_means_params {
    uint32_t num_colors; // the most new colours, 1 .. REF_PALETTE_MAX_MEANS
    bool keep_rare;      // an eighth of them may be for colours that are far from the others
    bool frequency;      // a colour weighs its number of pixels, else 1
    bool oklab;          // distances are those of Oklab, else those of codes
    bool srgb;           // Oklab of decoded codes (IEC 61966-2-1), else of code / 255
};

// Coordinates are 0 .. 2^15: 128 times a code, or Oklab in Q15 with a and b moved up by a half.
struct ref_palette_mean {
    uint32_t x[3];
};

struct ref_palette_mean ref_palette_mean_of(const struct ref_palette_means_params *params,
                                            uint32_t color);

// n distinct colours with their numbers of pixels -> the palette, sorted, and n new colours, each
// the nearest of the palette. At most num_colors distinct colours stay as they are. `counts` may be
// NULL where every colour weighs 1. False: out of memory.
bool ref_palette_means(const struct ref_palette_means_params *params, uint32_t n,
                       const uint32_t *colors, const uint32_t *counts,
                       uint32_t palette[REF_PALETTE_MAX_MEANS], uint32_t *num_palette,
                       uint32_t *out);

#endif
