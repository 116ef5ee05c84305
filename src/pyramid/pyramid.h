// SPDX-License-Identifier: MIT
// The inside of a pyramid.
#ifndef WEIR_PYRAMID_PYRAMID_H
#define WEIR_PYRAMID_PYRAMID_H

#include <weir/pyramid.h>

#include "base/layout.h"
#include "pyramid/bindings.h"
#include "pyramid/plan.h"
#include "shaders/pyramid/constants.h"
#include "vk/pipeline.h"

struct weir_pyramid {
    weir_context *context;
    struct weir_pyramid_params params; // with AUTO resolved
    bool chooses; // AUTO was asked for: a target of SINGLE may be made by HYBRID
    const struct weir_pyramid_format_info *format;
    struct weir_pyramid_bindings bindings;
    struct weir_pyramid_pipelines *pipelines;
};

// Push constants of every kernel: shaders/pyramid/interface.glsl.
struct weir_pyramid_push {
    uint32_t width, height;
    uint32_t num_levels;
    uint32_t num_layers;
    float user[4];
    uint32_t stages[WEIR_PYRAMID_MAX_STAGES][4];
    uint32_t slice_texels, slice_counters;
    uint32_t flags; // WEIR_PYRAMID_FLAG_*
    uint32_t first_slice;
};
WEIR_ASSERT_OFFSET(struct weir_pyramid_push, width, WEIR_PYRAMID_PUSH_SIZE);
WEIR_ASSERT_OFFSET(struct weir_pyramid_push, num_levels, WEIR_PYRAMID_PUSH_NUM_LEVELS);
WEIR_ASSERT_OFFSET(struct weir_pyramid_push, num_layers, WEIR_PYRAMID_PUSH_NUM_LAYERS);
WEIR_ASSERT_OFFSET(struct weir_pyramid_push, user, WEIR_PYRAMID_PUSH_USER);
WEIR_ASSERT_OFFSET(struct weir_pyramid_push, stages, WEIR_PYRAMID_PUSH_STAGES);
WEIR_ASSERT_OFFSET(struct weir_pyramid_push, slice_texels, WEIR_PYRAMID_PUSH_SLICE_TEXELS);
WEIR_ASSERT_OFFSET(struct weir_pyramid_push, slice_counters, WEIR_PYRAMID_PUSH_SLICE_COUNTERS);
WEIR_ASSERT_OFFSET(struct weir_pyramid_push, flags, WEIR_PYRAMID_PUSH_FLAGS);
WEIR_ASSERT_OFFSET(struct weir_pyramid_push, first_slice, WEIR_PYRAMID_PUSH_FIRST_SLICE);
WEIR_ASSERT_SIZE(struct weir_pyramid_push, WEIR_PYRAMID_PUSH_END);

#endif
