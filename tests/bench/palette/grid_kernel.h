// SPDX-License-Identifier: MIT
// shaders/palette_grid.comp: its pipeline, its buffers, and one dispatch of it.
#ifndef WEIR_TESTS_BENCH_PALETTE_GRID_KERNEL_H
#define WEIR_TESTS_BENCH_PALETTE_GRID_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

#include "capture/weir/gpu/compute.h"
#include "tests/bench/palette/grid.h"
#include "tests/bench/stopwatch.h"

// The buffers, in the order of their bindings.
enum bench_palette_grid_buffer {
    BENCH_PALETTE_GRID_RANGES,
    BENCH_PALETTE_GRID_SUMS,
    BENCH_PALETTE_GRID_ORDER,
    BENCH_PALETTE_GRID_POINTS,
    BENCH_PALETTE_GRID_COUNTS,
    BENCH_PALETTE_GRID_STATES,
    BENCH_PALETTE_GRID_OUTPUTS,
    BENCH_PALETTE_GRID_COUNTERS,
    BENCH_PALETTE_GRID_NUM_BUFFERS
};

// The push constants, as the shader has them.
struct bench_palette_grid_push {
    float box_min[3], radius_squared;
    float box_range[3];
    uint32_t limit;
    uint32_t reach[3];
    uint32_t first, num, target;
};

struct bench_palette_grid_kernel {
    struct cli_gpu *gpu;
    struct cli_buffer buffers[BENCH_PALETTE_GRID_NUM_BUFFERS], staging;
    struct cli_layout layout;
    VkPipeline pipeline;
    VkDescriptorPool pool;
    VkDescriptorSet set;
};

// Make the kernel. The first half of the states becomes the points, and the counters become 0.
// Finish it in every case.
enum weir_result bench_palette_grid_kernel_init(struct bench_palette_grid_kernel *kernel,
                                                struct cli_gpu *gpu,
                                                const struct bench_palette_grid *grid,
                                                const uint32_t *counts, bool frequency, bool srgb);
void bench_palette_grid_kernel_finish(struct bench_palette_grid_kernel *kernel);

// Run one dispatch. Its counters lie at the start of staging.mapped afterwards.
enum weir_result bench_palette_grid_kernel_run(struct bench_palette_grid_kernel *kernel,
                                               struct cli_timer *watch,
                                               const struct bench_palette_grid_push *push,
                                               uint32_t num_workgroups, double *ns);
// Read the new colour of each point.
enum weir_result bench_palette_grid_kernel_read(struct bench_palette_grid_kernel *kernel,
                                                uint32_t *outputs);

#endif
