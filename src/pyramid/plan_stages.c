// SPDX-License-Identifier: MIT
// Cuts a chain into the stages of the one-dispatch kernel.
#include "pyramid/plan.h"

// Of shared memory in shaders/pyramid/single.glsl [texels].
enum { ODD_TEXELS = 1600, EVEN_TEXELS = 400 };

// Texels of an axis that a tile touches at a stage's level j; `size` is the axis at the stage's level 0.
static uint32_t span(uint32_t size, uint32_t num_levels, uint32_t tile_log2, uint32_t j)
{
    const uint32_t up = num_levels - j;
    const uint32_t here = weir_pyramid_level_size(size, j);
    const uint32_t touched = (1u << (tile_log2 + up)) + (here & ((1u << up) - 1));
    return touched < here ? touched : here;
}

struct axes {
    uint32_t width, height;
};

static uint64_t tile_texels(const struct axes *size, uint32_t num_levels, uint32_t tile_log2,
                            uint32_t j)
{
    return (uint64_t)span(size->width, num_levels, tile_log2, j) *
           span(size->height, num_levels, tile_log2, j);
}

static uint32_t num_tiles(uint32_t size, uint32_t num_levels, uint32_t tile_log2)
{
    const uint32_t last = weir_pyramid_level_size(size, num_levels);
    return ((last - 1) >> tile_log2) + 1;
}

static bool fits(const struct axes *size, uint32_t num_levels, uint32_t tile_log2)
{
    return tile_texels(size, num_levels, tile_log2, 1) <= ODD_TEXELS &&
           (num_levels < 2 || tile_texels(size, num_levels, tile_log2, 2) <= EVEN_TEXELS);
}

// Are the texels that several tiles read few enough? At most 1.3 times the image.
static bool is_lean(const struct axes *size, uint32_t num_levels, uint32_t tile_log2)
{
    const uint64_t tiles = (uint64_t)num_tiles(size->width, num_levels, tile_log2) *
                           num_tiles(size->height, num_levels, tile_log2);
    const uint64_t read = tiles * tile_texels(size, num_levels, tile_log2, 0);
    return read * 10 <= (uint64_t)size->width * size->height * 13;
}

// The most levels of which a tile of 64x64 texels is enough, or all of them at once.
static void choose(const struct axes *size, uint32_t rest, uint32_t *num_levels,
                   uint32_t *tile_log2)
{
    *num_levels = rest;
    *tile_log2 = 0;
    if (fits(size, rest, 0) && num_tiles(size->width, rest, 0) == 1 &&
        num_tiles(size->height, rest, 0) == 1) {
        return;
    }
    for (uint32_t levels = rest < 6 ? rest : 6; levels > 0; levels--) {
        *num_levels = levels;
        *tile_log2 = 6 - levels;
        if (fits(size, levels, 6 - levels) && (levels <= 3 || is_lean(size, levels, 6 - levels))) {
            return;
        }
    }
}

void weir_pyramid_plan_stages(const struct weir_pyramid_geometry *geometry,
                              struct weir_pyramid_plan *plan)
{
    uint32_t level = 0;
    while (level < geometry->num_levels) {
        const struct axes size = {weir_pyramid_level_size(geometry->width, level),
                                  weir_pyramid_level_size(geometry->height, level)};
        struct weir_pyramid_stage *stage = &plan->stages[plan->num_stages++];
        *stage = (struct weir_pyramid_stage){
            .level = level, .texels = plan->slice_texels, .counters = plan->slice_counters};
        choose(&size, geometry->num_levels - level, &stage->num_levels, &stage->tile_log2);
        stage->tiles_x = num_tiles(size.width, stage->num_levels, stage->tile_log2);
        stage->tiles_y = num_tiles(size.height, stage->num_levels, stage->tile_log2);
        if (level > 0) {
            plan->slice_counters += stage->tiles_x * stage->tiles_y;
        }
        level += stage->num_levels;
        if (level < geometry->num_levels) {
            plan->slice_texels += weir_pyramid_level_size(geometry->width, level) *
                                  weir_pyramid_level_size(geometry->height, level);
        }
    }
}
