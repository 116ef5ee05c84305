// SPDX-License-Identifier: MIT
// A picture through a palette reduction, on the host's queue.
#ifndef WEIR_TESTS_GPU_PALETTE_RUN_H
#define WEIR_TESTS_GPU_PALETTE_RUN_H

#include <weir/palette.h>

#include "tests/gpu/harness.h"

struct palette_picture {
    uint32_t width, height;
    const uint8_t *rgba;
};

// `pixels` become those of `picture` after one reduction. False after a failure, which is counted.
bool palette_run(struct harness *h, weir_palette *palette, const struct palette_picture *picture,
                 const struct weir_palette_start *start, uint8_t *pixels,
                 struct weir_palette_stats *stats);

// The same with colours of several pictures together: `pixels` of one after the other.
bool palette_run_shared(struct harness *h, weir_palette *palette,
                        const struct palette_picture *pictures, uint32_t num_pictures,
                        const struct weir_palette_start *start, uint8_t *const *pixels,
                        struct weir_palette_stats *stats);

#endif
