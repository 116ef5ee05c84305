// SPDX-License-Identifier: MIT
// The stages in which the one-dispatch kernel makes a chain. Pure: no Vulkan call.
#ifndef WEIR_PYRAMID_STAGES_H
#define WEIR_PYRAMID_STAGES_H

#include <stdbool.h>
#include <stdint.h>

#include "shaders/pyramid/constants.h"

// The chain that a plan is for. Levels are counted from the input, which is level 0.
struct weir_pyramid_geometry {
    uint32_t width, height; // size of level 0 [texels]
    uint32_t num_levels;    // number of levels that are made after level 0
    bool copies;            // level 0 is copied to the images too
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

#endif
