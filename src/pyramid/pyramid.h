// SPDX-License-Identifier: MIT
// The inside of a pyramid: its method's pipelines.
#ifndef WEIR_PYRAMID_PYRAMID_H
#define WEIR_PYRAMID_PYRAMID_H

#include <weir/pyramid.h>

#include "pyramid/bindings.h"
#include "pyramid/plan.h"
#include "vk/pipeline.h"

struct weir_pyramid {
    weir_context *context;
    struct weir_pyramid_params params; // AUTO resolved
    const struct weir_pyramid_format *format;
    struct weir_pyramid_bindings bindings;
    // By kernel, and by whether the base is the pyramid's input: only there a source's channels and the
    // weights of a first step count.
    struct weir_vk_pipeline pipelines[WEIR_PYRAMID_NUM_KERNELS][2];
};

// Push constants of every kernel: shaders/pyramid/interface.glsl.
struct weir_pyramid_push {
    uint32_t width, height;
    uint32_t num_levels;
    uint32_t num_layers;
    float user[4];
    uint32_t stages[WEIR_PYRAMID_MAX_STAGES][4];
    uint32_t slice_texels, slice_counters;
    uint32_t copies;
};

#endif
