// SPDX-License-Identifier: MIT
// Cuts a chain into the stages of the one-dispatch kernel.
#include "pyramid/plan.h"

#include <assert.h>

#include "base/size.h"

// The costs of stages [ns], rounded from times of one NVIDIA H200. The first four are those of one
// tile among many. A workgroup may have to make further tiles where tiles share their input: each
// takes 600 to 800, but not always. With 1200 for it the fastest plan was chosen, or one within
// 4 %, at each of 16 sizes.
enum {
    EVEN_STAGE_COST = 8, // a tile of a first stage whose levels but the last all have even sides
    EVEN_BASE_COST = 10, // a tile of a first stage whose base has even sides
    ODD_COST = 12,       // a tile of any other first stage
    LATER_COST = 10,     // a tile of a later stage
    STAGE_COST = 2800,   // a stage's wait for the stage before
    SHARED_COST = 1200,  // each further tile that shares its input
};

// The side of a tile in texels of the stage's last level; 0: a tile cannot hold even one. `size` is
// the length of the axis at the stage's level 0.
static uint32_t tile_side(uint32_t size, bool is_base, uint32_t num_levels)
{
    const uint32_t first = weir_level_side(size, 1);
    const uint32_t halvings = num_levels - 1;
    const uint32_t halo = first & ((1u << halvings) - 1); // low bits: odd sizes on the way
    // A texel under the last one of an odd base's row is left out:
    // shaders/pyramid/first_stage.glsl.
    const uint32_t tile = !is_base                      ? WEIR_PYRAMID_LATER_SIDE
                          : (size & 1) == 1 && size > 1 ? WEIR_PYRAMID_FIRST_SIDE - 1
                                                        : WEIR_PYRAMID_FIRST_SIDE;
    if (first <= tile) {
        return weir_level_side(first, halvings);
    }
    return halo < tile ? (tile - halo) >> halvings : 0;
}

// Make a stage that reads `level` and makes `num_levels` levels. False if a tile cannot hold one of
// its texels.
static bool cut(const struct weir_pyramid_geometry *geometry, uint32_t level, uint32_t num_levels,
                struct weir_pyramid_stage *stage)
{
    const uint32_t width = weir_level_side(geometry->width, level);
    const uint32_t height = weir_level_side(geometry->height, level);
    stage->level = level;
    stage->num_levels = num_levels;
    stage->tile_width = tile_side(width, level == 0, num_levels);
    stage->tile_height = tile_side(height, level == 0, num_levels);
    if (stage->tile_width == 0 || stage->tile_height == 0) {
        return false;
    }
    stage->tiles_x = weir_divide_up(weir_level_side(width, num_levels), stage->tile_width);
    stage->tiles_y = weir_divide_up(weir_level_side(height, num_levels), stage->tile_height);
    return true;
}

static uint32_t tile_cost(const struct weir_pyramid_geometry *geometry,
                          const struct weir_pyramid_stage *stage)
{
    const uint32_t sides = geometry->width | geometry->height;
    if (stage->level > 0) {
        return LATER_COST;
    }
    return (sides & ((1u << stage->num_levels) - 1)) == 0 ? EVEN_STAGE_COST
           : (sides & 1) == 0                             ? EVEN_BASE_COST
                                                          : ODD_COST;
}

// The number of tiles along an axis that may need the same tile of the stage before. The low bits
// of the size say how far tiles overlap.
static uint32_t num_sharing(uint32_t size, const struct weir_pyramid_stage *stage,
                            uint32_t num_tiles)
{
    const uint32_t low_bits = (1u << stage->num_levels) - 1;
    return stage->level > 0 && num_tiles > 1 && (size >> stage->level & low_bits) != 0 ? 2 : 1;
}

static uint64_t cost_of(const struct weir_pyramid_geometry *geometry,
                        const struct weir_pyramid_stage *stage)
{
    const uint32_t num_shared = num_sharing(geometry->width, stage, stage->tiles_x) *
                                num_sharing(geometry->height, stage, stage->tiles_y);
    return STAGE_COST + SHARED_COST * (num_shared - 1) +
           (uint64_t)stage->tiles_x * stage->tiles_y * tile_cost(geometry, stage);
}

// A sequence of stages for the levels that are left: its first stage, and the cost of all of them.
struct sequence {
    struct weir_pyramid_stage stage;
    uint64_t cost;
};

static const uint64_t impossible = UINT64_MAX / 2;

// Choose the cheapest sequence from `level` on. rest[] are the cheapest ones from each level with
// one stage less. A first stage may make a single level only if that is the chain's last, as it
// keeps that level in registers.
static struct sequence choose(const struct weir_pyramid_geometry *geometry, uint32_t level,
                              const struct sequence rest[])
{
    const uint32_t num_left = geometry->num_levels - level;
    const uint32_t least = level == 0 && num_left > 1 ? 2 : 1;
    const uint32_t most = level == 0 ? WEIR_PYRAMID_FIRST_LEVELS : WEIR_PYRAMID_LATER_LEVELS;
    struct sequence best = {.cost = impossible};
    for (uint32_t n = least; n <= num_left && n <= most; n++) {
        struct sequence sequence = {.cost = impossible};
        if (cut(geometry, level, n, &sequence.stage)) {
            sequence.cost = cost_of(geometry, &sequence.stage) + rest[level + n].cost;
        }
        if (sequence.cost <= best.cost) {
            best = sequence;
        }
    }
    return best;
}

void weir_pyramid_stages_init(const struct weir_pyramid_geometry *geometry,
                              struct weir_pyramid_stages *out)
{
    *out = (struct weir_pyramid_stages){0};
    // best[n][level]: the cheapest sequence of at most n stages from `level` on.
    struct sequence best[WEIR_PYRAMID_MAX_STAGES + 1][WEIR_PYRAMID_MAX_LEVELS + 1] = {0};
    const uint32_t num_levels = geometry->num_levels;
    for (uint32_t level = 0; level < num_levels; level++) {
        best[0][level].cost = impossible;
    }
    for (uint32_t n = 1; n <= WEIR_PYRAMID_MAX_STAGES; n++) {
        for (uint32_t level = 0; level < num_levels; level++) {
            best[n][level] = choose(geometry, level, best[n - 1]);
        }
    }
    for (uint32_t level = 0; level < num_levels;) {
        const struct sequence *rest = &best[WEIR_PYRAMID_MAX_STAGES - out->num][level];
        struct weir_pyramid_stage *stage = &out->stages[out->num];
        assert(rest->cost < impossible); // a chain of MAX_LEVELS always has a sequence
        *stage = rest->stage;
        stage->texels = out->slice_texels;
        stage->counters = out->slice_counters;
        if (level > 0) {
            out->slice_counters += stage->tiles_x * stage->tiles_y;
        }
        level += stage->num_levels;
        if (level < num_levels) {
            out->slice_texels += weir_level_side(geometry->width, level) *
                                 weir_level_side(geometry->height, level);
        }
        out->num++;
    }
}
