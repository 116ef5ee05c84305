// SPDX-License-Identifier: MIT
// The inside of a palette reduction.
#ifndef WEIR_PALETTE_PALETTE_H
#define WEIR_PALETTE_PALETTE_H

#include <weir/palette.h>

#include "frame/source_format.h"
#include "palette/memory.h"
#include "vk/context.h"
#include "vk/pipeline.h"

// The push constants of every kernel: shaders/palette/memory.glsl.
struct weir_palette_push {
    uint32_t width, height; // of an image [texels]
    uint32_t max_colors, max_cells, max_states, max_unfinished;
    uint32_t radius; // rounded up [lattice units]
    uint32_t limit;  // most steps of a trajectory; 0 = no limit
    uint32_t radius_squared[2];
    uint32_t max_work, max_subgroup_work; // most rounds of a dispatch, and of each subgroup
    uint32_t pass;                        // of resolving
};

// The kernels, in the order in which a run needs them.
enum weir_palette_kernel {
    WEIR_PALETTE_RESET,
    WEIR_PALETTE_COUNT,
    WEIR_PALETTE_COLLECT,
    WEIR_PALETTE_PLACE,
    WEIR_PALETTE_PLAN,
    WEIR_PALETTE_CLEAR,
    WEIR_PALETTE_BIN,
    WEIR_PALETTE_CELLS_SUM,
    WEIR_PALETTE_CELLS_SCAN,
    WEIR_PALETTE_SCATTER,
    WEIR_PALETTE_POINTS_SUM,
    WEIR_PALETTE_POINTS_SCAN,
    WEIR_PALETTE_ITERATE,
    WEIR_PALETTE_ITERATE_ALONE,
    WEIR_PALETTE_RESOLVE,
    WEIR_PALETTE_PUBLISH,
    WEIR_PALETTE_MAP,
    WEIR_PALETTE_NUM_KERNELS,
};

// The last call of a run that has been recorded.
enum weir_palette_stage {
    WEIR_PALETTE_EMPTY,
    WEIR_PALETTE_COUNTED,
    WEIR_PALETTE_STARTED,
    WEIR_PALETTE_FINISHED,
};

struct weir_palette {
    weir_context *context;
    struct weir_palette_params params;
    VkFormat format; // of the images that it reads
    struct weir_source_format source;
    struct weir_palette_memory memory;
    struct weir_vk_pipeline pipelines[WEIR_PALETTE_NUM_KERNELS];
    enum weir_palette_stage stage;
    struct weir_palette_push push; // of the run that was started
};

#endif
