// SPDX-License-Identifier: MIT
// Cuts a chain into the stages of the one-dispatch kernel.
#include "pyramid/plan.h"

// Texels of an axis that a tile has at a stage's level 1, and levels that it can make. The first stage begins
// in registers: shaders/pyramid/first_stage.glsl, tile.glsl.
enum { FIRST_TILE = 32, FIRST_LEVELS = 6, LATER_TILE = 16, LATER_LEVELS = 5 };

static uint32_t tile_of(const struct weir_pyramid_stage *stage)
{
    return stage->level == 0 ? FIRST_TILE : LATER_TILE;
}

// How many texels of an axis at a stage's last level lie on `tile` texels of its level 1; 0: none does.
// `size` is the axis at the stage's level 0.
static uint32_t tile_side(uint32_t tile, uint32_t size, uint32_t num_levels)
{
    const uint32_t first = weir_pyramid_level_size(size, 1);
    const uint32_t halvings = num_levels - 1;
    const uint32_t halo = first & ((1u << halvings) - 1); // low bits: odd sizes on the way
    if (first <= tile) {
        return weir_pyramid_level_size(first, halvings);
    }
    return halo < tile ? (tile - halo) >> halvings : 0;
}

static uint32_t divide_up(uint32_t a, uint32_t b)
{
    return (a + b - 1) / b;
}

static void cut(const struct weir_pyramid_geometry *geometry, struct weir_pyramid_stage *stage)
{
    const uint32_t width = weir_pyramid_level_size(geometry->width, stage->level);
    const uint32_t height = weir_pyramid_level_size(geometry->height, stage->level);
    stage->tile_width = tile_side(tile_of(stage), width, stage->num_levels);
    stage->tile_height = tile_side(tile_of(stage), height, stage->num_levels);
    if (stage->tile_width > 0 && stage->tile_height > 0) {
        stage->tiles_x = divide_up(weir_pyramid_level_size(width, stage->num_levels),
                                   stage->tile_width);
        stage->tiles_y = divide_up(weir_pyramid_level_size(height, stage->num_levels),
                                   stage->tile_height);
    }
}

// Does a stage cost at most 1.4 times what it would without halos? Tiles cost alike.
static bool is_lean(const struct weir_pyramid_geometry *geometry,
                    const struct weir_pyramid_stage *stage)
{
    const uint32_t width = weir_pyramid_level_size(geometry->width, stage->level + 1);
    const uint32_t height = weir_pyramid_level_size(geometry->height, stage->level + 1);
    const uint32_t least = divide_up(width, tile_of(stage)) * divide_up(height, tile_of(stage));
    return stage->tiles_x * stage->tiles_y * 5 <= least * 7;
}

// The most levels that are lean: fewer stages wait for each other.
static void choose(const struct weir_pyramid_geometry *geometry, struct weir_pyramid_stage *stage)
{
    const uint32_t rest = geometry->num_levels - stage->level;
    const uint32_t most = stage->level == 0 ? FIRST_LEVELS : LATER_LEVELS;
    for (stage->num_levels = rest < most ? rest : most;; stage->num_levels--) {
        cut(geometry, stage);
        const bool is_possible = stage->tile_width > 0 && stage->tile_height > 0;
        if (is_possible && (stage->num_levels <= 3 || is_lean(geometry, stage))) {
            return;
        }
    }
}

void weir_pyramid_plan_stages(const struct weir_pyramid_geometry *geometry,
                              struct weir_pyramid_plan *plan)
{
    uint32_t level = 0;
    while (level < geometry->num_levels) {
        struct weir_pyramid_stage *stage = &plan->stages[plan->num_stages++];
        *stage = (struct weir_pyramid_stage){
            .level = level, .texels = plan->slice_texels, .counters = plan->slice_counters};
        choose(geometry, stage);
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
