// SPDX-License-Identifier: MIT
// The plan of the dispatches that make a chain. Pure: no Vulkan call.
//
// Levels are counted from the input here: level 0 is the image that the first dispatch reads.
#ifndef WEIR_PYRAMID_PLAN_H
#define WEIR_PYRAMID_PLAN_H

#include <weir/pyramid.h>

#include "pyramid/stages.h"

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

#endif
