// SPDX-License-Identifier: MIT
// The data that the grid method of weir-bench palette prepares: points in floats, sorted into a
// grid over their bounding box.
#ifndef WEIR_TESTS_BENCH_PALETTE_GRID_POINTS_H
#define WEIR_TESTS_BENCH_PALETTE_GRID_POINTS_H

#include "tests/bench/palette/palette.h"

// The grid, as in shaders/palette_grid.comp.
enum {
    BENCH_PALETTE_GRID_SIDE = 100, // [cells]
    BENCH_PALETTE_GRID_CELLS = BENCH_PALETTE_GRID_SIDE * BENCH_PALETTE_GRID_SIDE *
                               BENCH_PALETTE_GRID_SIDE
};

struct bench_palette_point {
    float position[3]; // L, a, b
    uint32_t index;    // index of the colour
};
struct bench_palette_range {
    uint32_t begin, end; // places in `order`
};
struct bench_palette_sum {
    float position[3];
    uint32_t weight;
};

struct bench_palette_grid {
    uint32_t num_points;
    float box_min[3], box_range[3];
    uint32_t reach[3]; // number of cells that a radius spans on either side, on each axis
    struct bench_palette_point *points;
    uint32_t *order; // indices of points, cell by cell
    struct bench_palette_range *ranges;
    struct bench_palette_sum *sums;
};

// False when there is no memory. Finish it in every case.
bool bench_palette_grid_init(struct bench_palette_grid *grid,
                             const struct bench_palette_picture *picture, float radius,
                             bool frequency, bool srgb);
void bench_palette_grid_finish(struct bench_palette_grid *grid);

#endif
