// SPDX-License-Identifier: MIT
// Chooses between the methods for AUTO. Pure: no Vulkan call.
#ifndef WEIR_PYRAMID_CHOICE_H
#define WEIR_PYRAMID_CHOICE_H

#include "pyramid/stages.h"

#include <weir/pyramid.h>

// How kernels read the texels of a level.
enum weir_pyramid_reads {
    WEIR_PYRAMID_FETCHED,  // one by one
    WEIR_PYRAMID_GATHERED, // R of four at a time
    WEIR_PYRAMID_FILTERED, // the sampler averages four
    WEIR_PYRAMID_WORDS,    // two channels of four at a time by SINGLE, and one by one by HYBRID
};

// Get the fastest of SINGLE, HYBRID and SUBGROUP for one layer of levels in this format, whose base
// is read in this way. The other methods are no faster than these three.
enum weir_pyramid_method weir_pyramid_choose(const struct weir_pyramid_geometry *geometry,
                                             const struct weir_pyramid_format_info *format,
                                             enum weir_pyramid_reads reads);

#endif
