// SPDX-License-Identifier: MIT
// The colours of a palette that make the means of a dithered picture right: what is seen from a
// distance.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <weir/palette.h>

// A picture of indices, and what it stands for.
struct palette_means {
    const uint8_t *source; // RGBA; texels of alpha 0 do not count
    uint32_t width, height;
    uint8_t *indices; // by pixel
    uint32_t num_colors;
    uint8_t (*colors)[3];                      // RGB
    int32_t *blurred;                          // of palette_means_init(): the source, by channel
    bool is_kept[WEIR_PALETTE_MAX_NUM_COLORS]; // by colour: it stays as it is
};

// Look which colours are to be kept: those that are exact for half of their pixels, as those of
// areas of one colour. The other members but `blurred` are set. False: no memory. Finish it in
// every case.
bool palette_means_init(struct palette_means *means);
void palette_means_finish(struct palette_means *means);

// Change the colours so that the blurred picture comes nearest to the blurred source, by the least
// sum of squares. False: no memory.
bool palette_means_fit(struct palette_means *means);
