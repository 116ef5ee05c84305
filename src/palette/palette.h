// SPDX-License-Identifier: MIT
// The inside of a palette reduction.
#pragma once

#include <stdint.h>

#include <weir/palette.h>

#include "base/layout.h"
#include "frame/image.h"
#include "shaders/palette/constants.h"
#include "vk/context.h"
#include "vk/descriptors.h"
#include "vk/memory.h"
#include "vk/pipeline.h"

// The memory of a palette reduction. shaders/palette/memory.glsl describes its contents.

enum {
    WEIR_PALETTE_NUM_NOISE = WEIR_PALETTE_NOISE_SIDE * WEIR_PALETTE_NOISE_SIDE,
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

struct weir_palette_push {
#include "shaders/palette/push.glsl"
};

// The kernels, in the order in which a run needs them: how many sets each is bound to (the memory,
// a source, a result, a table of nearest colours), and the runs that dispatch it.
#define WEIR_PALETTE_KERNELS(X)                                                                    \
    X(RESET, reset, 1, EVERY)                                                                      \
    X(COUNT, count, 2, EVERY)                                                                      \
    X(COLLECT, collect, 1, EVERY)                                                                  \
    X(PLACE, place, 1, MEAN_SHIFT)                                                                 \
    X(PLAN, plan, 1, MEAN_SHIFT)                                                                   \
    X(CLEAR, clear, 1, MEAN_SHIFT)                                                                 \
    X(BIN, bin, 1, MEAN_SHIFT)                                                                     \
    X(CELLS_SUM, cells_sum, 1, MEAN_SHIFT)                                                         \
    X(CELLS_SCAN, cells_scan, 1, MEAN_SHIFT)                                                       \
    X(SCATTER, scatter, 1, MEAN_SHIFT)                                                             \
    X(POINTS_SUM, points_sum, 1, MEAN_SHIFT)                                                       \
    X(POINTS_SCAN, points_scan, 1, MEAN_SHIFT)                                                     \
    X(ITERATE_MERGING, iterate_merging, 1, MEAN_SHIFT)                                             \
    X(ITERATE, iterate, 1, MEAN_SHIFT)                                                             \
    X(RESOLVE, resolve, 1, MEAN_SHIFT)                                                             \
    X(PUBLISH, publish, 1, MEAN_SHIFT)                                                             \
    X(MEANS_PLAN, means_plan, 1, K_MEANS)                                                          \
    X(MEANS_PLACE, means_place, 1, K_MEANS)                                                        \
    X(MEANS_ASSIGN, means_assign, 1, K_MEANS)                                                      \
    X(MEANS_UPDATE, means_update, 1, K_MEANS)                                                      \
    X(MEANS_CHOOSE, means_choose, 1, K_MEANS)                                                      \
    X(MEANS_PUBLISH, means_publish, 1, K_MEANS)                                                    \
    X(MAP, map, 3, EVERY)                                                                          \
    X(MAP_DITHER, map_dither, 3, K_MEANS)                                                          \
    X(LIVE_MOVE, live_move, 4, LIVE)                                                               \
    X(LIVE_FILL, live_fill, 4, LIVE)                                                               \
    X(LIVE_LOOK, live_look, 4, LIVE)                                                               \
    X(LIVE_MAP, live_map, 4, LIVE)

#define WEIR_PALETTE_ITEM(name, ...) WEIR_PALETTE_##name,
enum weir_palette_kernel { WEIR_PALETTE_KERNELS(WEIR_PALETTE_ITEM) WEIR_PALETTE_NUM_KERNELS };
#undef WEIR_PALETTE_ITEM

// The last call of a run that has been recorded.
enum weir_palette_stage {
    WEIR_PALETTE_EMPTY,
    WEIR_PALETTE_COUNTED,
    WEIR_PALETTE_STARTED,
    WEIR_PALETTE_FINISHED,
};

// What a frame does beside being mapped, in turns. Each of them is as short as the mapping.
enum weir_palette_phase {
    WEIR_PALETTE_LOOKS, // pixels of it are summed up
    WEIR_PALETTE_MOVES, // colours move by these sums
    WEIR_PALETTE_FILLS, // the other table is filled, by which the next frame is mapped
};

// What follows from frame to frame.
struct weir_palette_live {
    bool is_started;               // the run's colours follow
    enum weir_palette_phase phase; // of the next frame
    uint32_t table;                // the table by which it is mapped
    struct weir_vk_buffer tables[2];
    struct weir_vk_descriptor_set sets[2];
};

struct weir_palette {
    weir_context *context;
    struct weir_palette_params params;
    struct weir_source_format source;
    struct weir_palette_memory memory;
    struct weir_vk_pipeline pipelines[WEIR_PALETTE_NUM_KERNELS];
    enum weir_palette_stage stage;
    struct weir_palette_push push; // push constants of the run that was started
    struct weir_palette_live live;
};

static inline bool weir_palette_is_k_means(const weir_palette *palette)
{
    return palette->params.method == WEIR_PALETTE_METHOD_K_MEANS;
}

// `name` is what the caller calls the image.
enum weir_result weir_palette_check_source(const weir_palette *palette, const weir_image *source,
                                           const char *name);

// Check a source and an output of its size.
enum weir_result weir_palette_check_mapping(const weir_palette *palette, const weir_image *source,
                                            const weir_image *output);

// The numbers of a reduction, by the palette's method.
enum weir_result weir_palette_check_start(const weir_palette *palette,
                                          const struct weir_palette_start *start);

enum weir_result weir_palette_check_dispatches(const weir_palette *palette,
                                               uint32_t num_dispatches);

// Report that `call` was not recorded after `before`. Returns WEIR_ERROR_INVALID.
enum weir_result weir_palette_out_of_order(const weir_palette *palette, const char *call,
                                           const char *before);

// What a dispatch is bound to beside the memory: images, and a table of nearest colours. NULL sets
// are not bound.
struct weir_palette_images {
    VkDescriptorSet source, output, nearest;
    uint32_t width, height;
};

// Get the number of workgroups of a kernel over colours, points, cells or slots.
uint32_t weir_palette_num_groups(const weir_palette *palette);

// Record a barrier between what uses the memory of the reduction.
void weir_palette_record_barrier(const weir_palette *palette, VkCommandBuffer cmd);

// Record the filling of a part of a buffer with 0.
void weir_palette_record_fill(const weir_palette *palette, VkCommandBuffer cmd, uint32_t binding,
                              uint64_t offset, uint64_t size);

// Record a dispatch beside what was recorded since the last barrier.
void weir_palette_record_beside(const weir_palette *palette, VkCommandBuffer cmd,
                                enum weir_palette_kernel kernel,
                                const struct weir_palette_push *push,
                                const struct weir_palette_images *images, uint32_t groups_x,
                                uint32_t groups_y);

// Record a barrier, and a dispatch that uses only the memory.
void weir_palette_record_dispatch(const weir_palette *palette, VkCommandBuffer cmd,
                                  enum weir_palette_kernel kernel, uint32_t num_groups);

// Record a barrier, and a dispatch over the pixels of an image.
void weir_palette_record_pixels(const weir_palette *palette, VkCommandBuffer cmd,
                                enum weir_palette_kernel kernel,
                                const struct weir_palette_images *images);

// Record a barrier, and the copy of a report to the host: `size` bytes of the buffer at that
// binding, to an offset of struct weir_palette_reports.
void weir_palette_record_copy(const weir_palette *palette, VkCommandBuffer cmd, uint32_t binding,
                              uint64_t offset, uint64_t size);

// Make the tables of nearest colours. Finish it in every case; a zeroed one may be finished.
enum weir_result weir_palette_live_init(weir_context *context, const char *tag,
                                        struct weir_palette_live *live);
void weir_palette_live_finish(weir_context *context, struct weir_palette_live *live);

// True if a run goes on with the colours of the run before it.
bool weir_palette_follows(const weir_palette *palette, const struct weir_palette_start *start);

// Record the mapping of the frame whose colours were found, and what the next frames begin with.
void weir_palette_record_live_first(weir_palette *palette, VkCommandBuffer cmd,
                                    struct weir_palette_images images);

// Record the mapping of a frame that follows, and its share of moving the colours.
void weir_palette_record_live(weir_palette *palette, VkCommandBuffer cmd,
                              struct weir_palette_images images);

// Rows of a square that repeats without seams: each number from 0 once.
void weir_palette_blue_noise(uint16_t ranks[WEIR_PALETTE_NUM_NOISE]);
