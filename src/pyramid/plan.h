// SPDX-License-Identifier: MIT
// Which dispatches make a chain: pure, no Vulkan call.
//
// Levels are counted from the input here: level 0 is what the first dispatch reads.
#ifndef WEIR_PYRAMID_PLAN_H
#define WEIR_PYRAMID_PLAN_H

#include <weir/pyramid.h>

enum { WEIR_PYRAMID_MAX_LEVELS = 16, WEIR_PYRAMID_MAX_STAGES = 5 };

enum weir_pyramid_kernel {
    WEIR_PYRAMID_KERNEL_COPY,
    WEIR_PYRAMID_KERNEL_PER_LEVEL,
    WEIR_PYRAMID_KERNEL_FAST,
    WEIR_PYRAMID_KERNEL_GENERAL,
    WEIR_PYRAMID_KERNEL_SUBGROUP,
    WEIR_PYRAMID_KERNEL_SINGLE,
    WEIR_PYRAMID_NUM_KERNELS,
    WEIR_PYRAMID_KERNEL_BLIT, // no kernel of Weir's
};

// One dispatch.
struct weir_pyramid_step {
    enum weir_pyramid_kernel kernel;
    uint32_t base;       // the level that it reads
    uint32_t num_levels; // that it writes after it
    uint32_t groups_x, groups_y;
};

// A stage of the one-dispatch kernel: shaders/pyramid/stage.glsl.
struct weir_pyramid_stage {
    uint32_t level;                   // that it reads
    uint32_t num_levels;              // that it makes
    uint32_t tile_width, tile_height; // texels of its last level that a tile makes
    uint32_t tiles_x, tiles_y;
    uint32_t texels;   // where its result starts in a layer's scratch
    uint32_t counters; // where its tiles' counters start
};

struct weir_pyramid_plan {
    uint32_t num_steps;
    struct weir_pyramid_step steps[WEIR_PYRAMID_MAX_LEVELS];

    // Of KERNEL_SINGLE, and how much scratch a layer takes.
    uint32_t num_stages;
    struct weir_pyramid_stage stages[WEIR_PYRAMID_MAX_STAGES];
    uint32_t slice_texels, slice_counters;
};

// What a plan depends on.
struct weir_pyramid_geometry {
    uint32_t width, height; // of level 0 [texels]
    uint32_t num_levels;    // to make after it
    bool copies;            // level 0 is copied to the images too
};

// max(1, size >> level)
uint32_t weir_pyramid_level_size(uint32_t size, uint32_t level);

// Plan a chain. NULL, or why the method cannot make it. `method` is not AUTO.
const char *weir_pyramid_plan_init(enum weir_pyramid_method method,
                                   const struct weir_pyramid_geometry *geometry,
                                   struct weir_pyramid_plan *out);

// Cut the chain of the one-dispatch kernel into stages: fills in all but `steps`.
void weir_pyramid_plan_stages(const struct weir_pyramid_geometry *geometry,
                              struct weir_pyramid_plan *plan);

#endif
