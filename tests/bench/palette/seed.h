// SPDX-License-Identifier: MIT
// The seed's method of weir-bench palette on the device: shaders/palette_seed.comp, dispatched
// until all is done.
#ifndef WEIR_TESTS_BENCH_PALETTE_SEED_H
#define WEIR_TESTS_BENCH_PALETTE_SEED_H

#include "tests/bench/palette/palette.h"

struct bench_palette_seed_params {
    const struct bench_palette_picture *picture; // with a colour at least
    float radius;
    bool frequency, srgb;
    struct cli_progress *progress;
};

// Run it once. `outputs` gets the new colour of each colour of the picture, 0xRRGGBB. Fills `run`
// but for num_different.
enum weir_result bench_palette_seed_measure(struct cli_gpu *gpu,
                                            const struct bench_palette_seed_params *params,
                                            struct bench_palette_run *run, uint32_t *outputs);

#endif
