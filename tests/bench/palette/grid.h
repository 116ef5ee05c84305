// SPDX-License-Identifier: MIT
// The grid method of weir-bench palette on the device: shaders/palette_grid.comp, dispatched
// until all is done.
#ifndef WEIR_TESTS_BENCH_PALETTE_GRID_H
#define WEIR_TESTS_BENCH_PALETTE_GRID_H

#include "tests/bench/palette/palette.h"

struct bench_palette_grid_params {
    const struct bench_palette_picture *picture; // with a colour at least
    float radius;
    bool frequency, srgb;
    struct cli_progress *progress;
};

// Run it once. `outputs` gets the new colour of each colour of the picture, 0xRRGGBB. Fills `run`
// but for num_different.
enum weir_result bench_palette_grid_measure(struct cli_gpu *gpu,
                                            const struct bench_palette_grid_params *params,
                                            struct bench_palette_run *run, uint32_t *outputs);

#endif
