// SPDX-License-Identifier: MIT
// The graphics pipelines of the scene, from shaders that were compiled into the program.
#ifndef SAMPLE_PIPELINES_H
#define SAMPLE_PIPELINES_H

#include "bindings.h"
#include "passes.h"
#include "scene.h"

enum pipeline_kind {
    PIPELINE_SHADOW,
    PIPELINE_SKY,
    PIPELINE_FLOOR,                                           // blended over the mirrored objects
    PIPELINE_OBJECTS,                                         // and one more for each pattern
    PIPELINE_MIRRORED = PIPELINE_OBJECTS + PATTERN_NUM_KINDS, // their images in the floor
    PIPELINE_NUM_KINDS = PIPELINE_MIRRORED + PATTERN_NUM_KINDS,
};

struct pipelines {
    struct bindings bindings; // 0: the shadow map, 1: the view, 2: the instances
    VkPipeline pipelines[PIPELINE_NUM_KINDS];
};

bool pipelines_init(const struct gpu *gpu, const struct passes *passes, uint32_t num_slots,
                    struct pipelines *pipelines);
void pipelines_finish(const struct gpu *gpu, struct pipelines *pipelines);

#endif
