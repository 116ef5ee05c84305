// SPDX-License-Identifier: MIT
// The data that the grid method of weir-bench palette prepares: points in floats, sorted into a
// grid over their bounding box.
#include "tests/bench/palette/palette.h"

#include <math.h>
#include <stdlib.h>

#include "tests/ref/palette_oklab.h"

// The shader divides by the range, which is 0 where all points are alike in an axis.
static const float least_range = 1e-6f;

static void to_point(const double light[256], uint32_t color, float position[3])
{
    double roots[3];
    for (int i = 0; i < 3; i++) {
        const double *row = oklab_rgb_to_lms[i];
        roots[i] = cbrt(row[0] * light[color >> 16] + row[1] * light[color >> 8 & 255] +
                        row[2] * light[color & 255]);
    }
    for (int i = 0; i < 3; i++) {
        const double *row = oklab_lms_to_lab[i];
        position[i] = (float)(row[0] * roots[0] + row[1] * roots[1] + row[2] * roots[2]);
    }
}

static void make_points(struct bench_palette_grid *grid, const uint32_t *colors, bool srgb)
{
    double light[256];
    for (uint32_t i = 0; i < 256; i++) {
        light[i] = srgb ? oklab_decode_srgb(i / 255.0) : i / 255.0;
    }
    for (uint32_t i = 0; i < grid->num_points; i++) {
        grid->points[i].index = i;
        to_point(light, colors[i], grid->points[i].position);
    }
}

static void make_box(struct bench_palette_grid *grid, float radius)
{
    for (int axis = 0; axis < 3; axis++) {
        float low = INFINITY, high = -INFINITY;
        for (uint32_t i = 0; i < grid->num_points; i++) {
            low = fminf(low, grid->points[i].position[axis]);
            high = fmaxf(high, grid->points[i].position[axis]);
        }
        const float range = fmaxf(high - low, least_range);
        const float reach = ceilf(radius / range * BENCH_PALETTE_GRID_SIDE);
        grid->box_min[axis] = low;
        grid->box_range[axis] = range;
        grid->reach[axis] = (uint32_t)fminf(reach, BENCH_PALETTE_GRID_SIDE);
    }
}

static uint32_t cell_of(const struct bench_palette_grid *grid, const float position[3])
{
    uint32_t cell = 0;
    for (int axis = 0; axis < 3; axis++) {
        const float place = (position[axis] - grid->box_min[axis]) / grid->box_range[axis];
        const float most = BENCH_PALETTE_GRID_SIDE - 0.001f;
        cell = cell * BENCH_PALETTE_GRID_SIDE +
               (uint32_t)fminf(place * BENCH_PALETTE_GRID_SIDE, most);
    }
    return cell;
}

// A counting sort: ends first count, then mark where each cell's next point goes.
static void group(struct bench_palette_grid *grid)
{
    for (uint32_t i = 0; i < grid->num_points; i++) {
        grid->ranges[cell_of(grid, grid->points[i].position)].end++;
    }
    uint32_t begin = 0;
    for (uint32_t i = 0; i < BENCH_PALETTE_GRID_CELLS; i++) {
        const uint32_t num = grid->ranges[i].end;
        grid->ranges[i] = (struct bench_palette_range){begin, begin};
        begin += num;
    }
    for (uint32_t i = 0; i < grid->num_points; i++) {
        grid->order[grid->ranges[cell_of(grid, grid->points[i].position)].end++] = i;
    }
}

static void add_sums(struct bench_palette_grid *grid, const uint32_t *counts)
{
    for (uint32_t i = 0; i < BENCH_PALETTE_GRID_CELLS; i++) {
        const struct bench_palette_range *range = &grid->ranges[i];
        double position[3] = {0};
        uint32_t weight = 0;
        for (uint32_t j = range->begin; j < range->end; j++) {
            const uint32_t point = grid->order[j], count = counts ? counts[point] : 1;
            for (int axis = 0; axis < 3; axis++) {
                position[axis] += (double)grid->points[point].position[axis] * count;
            }
            weight += count;
        }
        grid->sums[i] = (struct bench_palette_sum){
            {(float)position[0], (float)position[1], (float)position[2]}, weight};
    }
}

bool bench_palette_grid_init(struct bench_palette_grid *grid,
                             const struct bench_palette_picture *picture, float radius,
                             bool frequency, bool srgb)
{
    const uint32_t num = picture->num_colors;
    *grid = (struct bench_palette_grid){
        .num_points = num,
        .points = calloc(num, sizeof(*grid->points)),
        .order = calloc(num, sizeof(*grid->order)),
        .ranges = calloc(BENCH_PALETTE_GRID_CELLS, sizeof(*grid->ranges)),
        .sums = calloc(BENCH_PALETTE_GRID_CELLS, sizeof(*grid->sums)),
    };
    if (!grid->points || !grid->order || !grid->ranges || !grid->sums) {
        return false;
    }
    make_points(grid, picture->colors, srgb);
    make_box(grid, radius);
    group(grid);
    add_sums(grid, frequency ? picture->counts : NULL);
    return true;
}

void bench_palette_grid_finish(struct bench_palette_grid *grid)
{
    free(grid->points);
    free(grid->order);
    free(grid->ranges);
    free(grid->sums);
    *grid = (struct bench_palette_grid){0};
}
