// SPDX-License-Identifier: MIT
// Reference of a palette that follows from frame to frame: bit for bit what the kernels must
// compute.
#ifndef WEIR_TESTS_REF_PALETTE_LIVE_H
#define WEIR_TESTS_REF_PALETTE_LIVE_H

#include <stddef.h>
#include <stdint.h>

#include "tests/ref/palette_means.h"

enum { REF_PALETTE_LIVE_BINS = 64 * 64 * 64 }; // of 4x4x4 colours

// Sums over the pixels of one colour of the palette that were looked at.
struct ref_palette_live_sums {
    uint64_t weight, codes[3], squares[3]; // their number, their codes, and the squares of these
};

struct ref_palette_live {
    uint32_t num;                           // colours of the palette, with those of no pixel
    uint32_t colors[REF_PALETTE_MAX_MEANS]; // 0xRRGGBB
    uint32_t filled[REF_PALETTE_MAX_MEANS]; // those by which frames are mapped
    struct ref_palette_live_sums sums[REF_PALETTE_MAX_MEANS];
    // To the middle of each bin: a number of `filled` and 1, or 0 where it was not searched yet.
    uint16_t nearest[REF_PALETTE_LIVE_BINS];
};

// Begin with a palette of num_found colours, at most num_colors, as ref_palette_means() finds it.
void ref_palette_live_init(struct ref_palette_live *live, uint32_t num_colors,
                           const uint32_t *found, uint32_t num_found);

// Map n RGBA8 pixels. Those with alpha 0 are copied.
void ref_palette_live_map(struct ref_palette_live *live, size_t n, const uint8_t *rgba,
                          uint8_t *out);

// Add pixels of width x height to the sums of the colours that they are mapped to: at most 2^17,
// one in each of the squares of a grid. Those with alpha 0 do not count.
void ref_palette_live_look(struct ref_palette_live *live, uint32_t width, uint32_t height,
                           const uint8_t *rgba);

// Move the colours by what was looked at, and forget it. Frames are mapped as before until
// ref_palette_live_fill().
void ref_palette_live_move(struct ref_palette_live *live);
void ref_palette_live_fill(struct ref_palette_live *live);

#endif
