// SPDX-License-Identifier: MIT
// The memory of a palette reduction. shaders/palette/memory.glsl describes its contents.
#ifndef WEIR_PALETTE_MEMORY_H
#define WEIR_PALETTE_MEMORY_H

#include <weir/palette.h>

#include "base/layout.h"
#include "shaders/palette/constants.h"
#include "vk/context.h"
#include "vk/descriptors.h"
#include "vk/memory.h"

enum {
    // a bit for each colour [bytes]
    WEIR_PALETTE_BITS_SIZE = WEIR_PALETTE_NUM_WORDS * sizeof(uint32_t),
    // a 32-bit word for each colour [bytes]
    WEIR_PALETTE_BINS_SIZE = WEIR_PALETTE_NUM_COLORS * sizeof(uint32_t),
    // most workgroups that move trajectories
    WEIR_PALETTE_MOVING_GROUPS = 2048,
    // most subgroups in these, each of 4 invocations or more
    WEIR_PALETTE_MAX_UNFINISHED = WEIR_PALETTE_MOVING_GROUPS * WEIR_PALETTE_MOVING_SIZE / 4,
};

// The start of Control, as the host reads it.
struct weir_palette_report {
    uint32_t num_colors, num_new_colors, num_unfinished, max_steps;
    uint32_t num_evaluations[2], num_tests[2]; // 64 bits each, the low word first
    uint32_t overflow;
};
WEIR_ASSERT_OFFSET(struct weir_palette_report, num_colors, WEIR_PALETTE_REPORT_NUM_COLORS);
WEIR_ASSERT_OFFSET(struct weir_palette_report, num_new_colors, WEIR_PALETTE_REPORT_NUM_NEW_COLORS);
WEIR_ASSERT_OFFSET(struct weir_palette_report, num_unfinished, WEIR_PALETTE_REPORT_NUM_UNFINISHED);
WEIR_ASSERT_OFFSET(struct weir_palette_report, max_steps, WEIR_PALETTE_REPORT_MAX_STEPS);
WEIR_ASSERT_OFFSET(struct weir_palette_report, num_evaluations,
                   WEIR_PALETTE_REPORT_NUM_EVALUATIONS);
WEIR_ASSERT_OFFSET(struct weir_palette_report, num_tests, WEIR_PALETTE_REPORT_NUM_TESTS);
WEIR_ASSERT_OFFSET(struct weir_palette_report, overflow, WEIR_PALETTE_REPORT_OVERFLOW);
WEIR_ASSERT_SIZE(struct weir_palette_report, WEIR_PALETTE_REPORT_END);

// The start of Means, as the host reads it.
struct weir_palette_means_report {
    uint32_t num, unused[7];
    uint32_t points[WEIR_PALETTE_MAX_MEANS][4]; // a colour is the last of its four
};
WEIR_ASSERT_OFFSET(struct weir_palette_means_report, points, WEIR_PALETTE_MEANS_POINTS);

// What the host reads: after each call, and after k-means has finished.
struct weir_palette_reports {
    struct weir_palette_report run;
    struct weir_palette_means_report means;
};
WEIR_ASSERT_OFFSET(struct weir_palette_reports, means, WEIR_PALETTE_REPORT_END);

struct weir_palette_memory {
    struct weir_vk_buffer buffers[WEIR_PALETTE_NUM_BINDINGS]; // by WEIR_PALETTE_BINDING_*
    struct weir_vk_buffer report; // host-visible: struct weir_palette_reports
    uint32_t max_cells, max_states;
    VkDescriptorSetLayout set_layout;
    struct weir_vk_descriptor_set set;
};

enum weir_result weir_palette_memory_init(weir_context *context,
                                          const struct weir_palette_params *params,
                                          struct weir_palette_memory *out);
void weir_palette_memory_finish(weir_context *context, struct weir_palette_memory *memory);

#endif
