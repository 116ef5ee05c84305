// SPDX-License-Identifier: MIT
// The plan of the dispatches that make a chain. Pure: no Vulkan call.
//
// Levels are counted from the input here: level 0 is the image that the first dispatch reads.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <weir/pyramid.h>

#include "shaders/pyramid/constants.h"

// The chain that a plan is for. Levels are counted from the input, which is level 0.
struct weir_pyramid_geometry {
    uint32_t width, height; // size of level 0 [texels]
    uint32_t num_levels;    // number of levels that are made after level 0
    bool copies;            // level 0 is copied to the images too
    uint32_t num_apart;     // levels that have a dispatch each before that of SINGLE
};

// A stage of the one-dispatch kernel: shaders/pyramid/stage.glsl.
struct weir_pyramid_stage {
    uint32_t level;                   // the level that it reads
    uint32_t num_levels;              // the number of levels that it makes
    uint32_t tile_width, tile_height; // size of a tile, in texels of the stage's last level
    uint32_t tiles_x, tiles_y;
    uint32_t texels;   // start of its result in a layer's scratch memory
    uint32_t counters; // start of its tiles' counters there
};

struct weir_pyramid_stages {
    uint32_t num;
    struct weir_pyramid_stage stages[WEIR_PYRAMID_MAX_STAGES];
    uint32_t slice_texels, slice_counters; // numbers of texels and counters in a layer's scratch
};

// Cut a chain into stages.
void weir_pyramid_stages_init(const struct weir_pyramid_geometry *geometry,
                              struct weir_pyramid_stages *out);

enum weir_pyramid_kernel {
    WEIR_PYRAMID_KERNEL_COPY,
    WEIR_PYRAMID_KERNEL_PER_LEVEL,
    WEIR_PYRAMID_KERNEL_FAST,
    WEIR_PYRAMID_KERNEL_GENERAL,
    WEIR_PYRAMID_KERNEL_SUBGROUP,
    WEIR_PYRAMID_KERNEL_SINGLE,
    WEIR_PYRAMID_NUM_KERNELS,
    WEIR_PYRAMID_KERNEL_BLIT, // vkCmdBlitImage, not a kernel
};

// One dispatch.
struct weir_pyramid_step {
    enum weir_pyramid_kernel kernel;
    uint32_t base;       // the level that it reads
    uint32_t num_levels; // the number of levels after `base` that it writes
    uint32_t groups_x, groups_y;
};

struct weir_pyramid_plan {
    uint32_t num_steps;
    struct weir_pyramid_step steps[WEIR_PYRAMID_MAX_LEVELS];

    struct weir_pyramid_stages stages; // stages of a step of KERNEL_SINGLE
};

// Plan a chain. Returns the reason why the method cannot make it, or NULL. `method` is not AUTO.
const char *weir_pyramid_plan_init(enum weir_pyramid_method method,
                                   const struct weir_pyramid_geometry *geometry,
                                   struct weir_pyramid_plan *out);

// How kernels read the texels of a level.
enum weir_pyramid_reads {
    WEIR_PYRAMID_FETCHED,  // one by one
    WEIR_PYRAMID_GATHERED, // R of four at a time
    WEIR_PYRAMID_FILTERED, // the sampler averages four
    WEIR_PYRAMID_WORDS,    // two channels of four at a time by SINGLE, and one by one by HYBRID
    WEIR_PYRAMID_NUM_READS,
};

// Get the fastest of SINGLE, HYBRID and SUBGROUP for one layer of levels in this format, whose base
// is read in this way. The other methods are no faster than these three.
enum weir_pyramid_method weir_pyramid_choose(const struct weir_pyramid_geometry *geometry,
                                             const struct weir_pyramid_format_info *format,
                                             enum weir_pyramid_reads reads);

// Get the number of levels for which a dispatch each, by the sampler, before that of SINGLE is
// faster: those made of large levels of odd sides.
uint32_t weir_pyramid_choose_apart(const struct weir_pyramid_geometry *geometry);
