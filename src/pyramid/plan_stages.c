// SPDX-License-Identifier: MIT
// Cuts a chain into the stages of the one-dispatch kernel.
#include "pyramid/plan.h"

// Texels of an axis that a tile has at its stage's level 1, levels that it can make:
// shaders/pyramid/columns.glsl, tile.glsl.
enum { TILE = 32, MOST_LEVELS = 6 };

// What stages cost, measured on one NVIDIA H200, in halves of what a tile of even sides costs that is one of many:
// 4 ns. A tile with odd sides; one of a later stage, which are few and wait for memory; and what it takes until
// a stage's results are in the hands of the next.
enum { EVEN_TILE = 2, ODD_TILE = 3, LATER_TILE = 8, HAND_OVER = 900 };

static uint32_t divide_up(uint32_t a, uint32_t b)
{
    return (a + b - 1) / b;
}

// How many texels of an axis at a stage's last level lie on a tile; 0: none does. `size` is the axis at the
// stage's level 0.
static uint32_t tile_side(uint32_t size, bool is_base, uint32_t num_levels)
{
    const uint32_t first = weir_pyramid_level_size(size, 1);
    const uint32_t halvings = num_levels - 1;
    const uint32_t halo = first & ((1u << halvings) - 1); // low bits: odd sizes on the way
    // A texel under the last one of an odd base's row is left out: shaders/pyramid/first_stage.glsl.
    const uint32_t tile = is_base && (size & 1) && size > 1 ? TILE - 1 : TILE;
    if (first <= tile) {
        return weir_pyramid_level_size(first, halvings);
    }
    return halo < tile ? (tile - halo) >> halvings : 0;
}

// A stage of `num_levels` levels from `level` on; false: no tile can hold what it takes.
static bool cut(const struct weir_pyramid_geometry *geometry, uint32_t level, uint32_t num_levels,
                struct weir_pyramid_stage *stage)
{
    const uint32_t width = weir_pyramid_level_size(geometry->width, level);
    const uint32_t height = weir_pyramid_level_size(geometry->height, level);
    stage->level = level;
    stage->num_levels = num_levels;
    stage->tile_width = tile_side(width, level == 0, num_levels);
    stage->tile_height = tile_side(height, level == 0, num_levels);
    if (stage->tile_width == 0 || stage->tile_height == 0) {
        return false;
    }
    stage->tiles_x = divide_up(weir_pyramid_level_size(width, num_levels), stage->tile_width);
    stage->tiles_y = divide_up(weir_pyramid_level_size(height, num_levels), stage->tile_height);
    return true;
}

static uint64_t cost_of(const struct weir_pyramid_geometry *geometry,
                        const struct weir_pyramid_stage *stage)
{
    const uint32_t low_bits = (1u << stage->num_levels) - 1;
    const bool is_even = ((geometry->width | geometry->height) & low_bits) == 0;
    const uint32_t tile = stage->level > 0 ? LATER_TILE : is_even ? EVEN_TILE : ODD_TILE;
    return HAND_OVER + (uint64_t)stage->tiles_x * stage->tiles_y * tile;
}

// The stage from `level` on with which the rest of the chain costs least; costs[] are those of the levels after.
// Only a chain's last stage may make one level: the others hand over what they leave in shared memory.
static struct weir_pyramid_stage choose(const struct weir_pyramid_geometry *geometry,
                                        uint32_t level, uint64_t costs[])
{
    const uint32_t rest = geometry->num_levels - level;
    struct weir_pyramid_stage best = {0};
    costs[level] = UINT64_MAX;
    for (uint32_t n = rest < 2 ? 1 : 2; n <= rest && n <= MOST_LEVELS; n++) {
        struct weir_pyramid_stage stage = {0};
        if (!cut(geometry, level, n, &stage)) {
            continue;
        }
        const uint64_t cost = cost_of(geometry, &stage) + costs[level + n];
        if (cost <= costs[level]) {
            costs[level] = cost;
            best = stage;
        }
    }
    return best;
}

void weir_pyramid_plan_stages(const struct weir_pyramid_geometry *geometry,
                              struct weir_pyramid_plan *plan)
{
    struct weir_pyramid_stage best[WEIR_PYRAMID_MAX_LEVELS];
    uint64_t costs[WEIR_PYRAMID_MAX_LEVELS + 1] = {0};
    for (uint32_t level = geometry->num_levels; level-- > 0;) {
        best[level] = choose(geometry, level, costs);
    }
    for (uint32_t level = 0; level < geometry->num_levels;) {
        struct weir_pyramid_stage *stage = &plan->stages[plan->num_stages++];
        *stage = best[level];
        stage->texels = plan->slice_texels;
        stage->counters = plan->slice_counters;
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
