// SPDX-License-Identifier: MIT
// Runs a pyramid on known texels and compares every level with the reference.
#ifndef WEIR_TESTS_GPU_PYRAMID_RUN_H
#define WEIR_TESTS_GPU_PYRAMID_RUN_H

#include <weir/pyramid.h>

#include "tests/gpu/harness.h"
#include "tests/ref/pyramid_content.h"

// One image, or a batch of images alike, with all its levels.
struct pyramid_case {
    enum weir_pyramid_method method;
    enum weir_pyramid_reduction reduction;
    VkFormat format;
    VkFormat source_format; // 0: none
    bool source_above;      // the source is the level above first_level, not a copy of it
    uint32_t width, height; // of level 0
    uint32_t layers, levels, first_level, last_level; // 0 = default
    uint32_t num_images;                              // 0 = 1
    enum ref_pyramid_content content;
    bool no_filter;
    uint32_t repeats; // run again with every level poisoned before, 0 = once
};

// Memory that cases of any size share, and the pyramid of the last case, which the next one of the same kind
// uses again.
struct pyramid_runner {
    struct harness *harness;
    struct harness_buffer staging;
    VkDeviceMemory memory;
    uint64_t memory_size;
    weir_pyramid *pyramid;
    struct weir_pyramid_params params;
    uint32_t num_cases, num_refused;
};

void pyramid_runner_init(struct pyramid_runner *runner, struct harness *harness);
void pyramid_runner_finish(struct pyramid_runner *runner);

// Run one case. A case that the method or the device refuses is counted, not failed. False after a failure,
// which is printed with the case, the first texel that differs and both values.
bool pyramid_run(struct pyramid_runner *runner, const struct pyramid_case *c);

#endif
