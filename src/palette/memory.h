// SPDX-License-Identifier: MIT
// The memory of a palette reduction. shaders/palette/memory.glsl describes its contents.
#ifndef WEIR_PALETTE_MEMORY_H
#define WEIR_PALETTE_MEMORY_H

#include "vk/context.h"
#include "vk/descriptors.h"
#include "vk/memory.h"

// Bindings of set 0.
enum weir_palette_buffer {
    WEIR_PALETTE_CONTROL,
    WEIR_PALETTE_BITS,
    WEIR_PALETTE_BINS,
    WEIR_PALETTE_COLORS,
    WEIR_PALETTE_COUNTS,
    WEIR_PALETTE_POINTS,
    WEIR_PALETTE_WEIGHTS,
    WEIR_PALETTE_ORDER,
    WEIR_PALETTE_CELLS,
    WEIR_PALETTE_SUMS,
    WEIR_PALETTE_PARTIALS,
    WEIR_PALETTE_STATES,
    WEIR_PALETTE_OWNERS,
    WEIR_PALETTE_ENDS,
    WEIR_PALETTE_UNFINISHED,
    WEIR_PALETTE_TABLES,
    WEIR_PALETTE_NUM_BUFFERS,
};

enum {
    WEIR_PALETTE_BITS_SIZE = 1 << 21, // a bit for each of 2^24 colours [bytes]
    WEIR_PALETTE_BINS_SIZE = 1 << 26, // a 32-bit word for each of 2^24 colours [bytes]
    WEIR_PALETTE_NUM_RUNS = 1024,     // workgroups of kernels over colours, points, cells and slots
    WEIR_PALETTE_MOVING_GROUPS = 2048,     // workgroups that move trajectories
    WEIR_PALETTE_MAX_UNFINISHED = 1 << 16, // most subgroups in these, each of 4 invocations or more
};

// The start of Control, as the host reads it.
struct weir_palette_report {
    uint32_t num_colors, num_new_colors, num_unfinished, max_steps;
    uint32_t num_evaluations[2], num_tests[2]; // 64 bits each, the low word first
    uint32_t overflow;
};

struct weir_palette_memory_params {
    uint32_t max_colors;
    bool has_weights; // a colour's weight is its number of pixels; else 1
    bool merges;
    bool srgb; // codes are decoded by the sRGB curve; else light is code / 255
    const char *tag;
};

struct weir_palette_memory {
    struct weir_vk_buffer buffers[WEIR_PALETTE_NUM_BUFFERS];
    struct weir_vk_buffer report; // host-visible: struct weir_palette_report
    uint32_t max_cells, max_states;
    VkDescriptorSetLayout set_layout;
    struct weir_vk_descriptor_set set;
};

enum weir_result weir_palette_memory_init(weir_context *context,
                                          const struct weir_palette_memory_params *params,
                                          struct weir_palette_memory *out);
void weir_palette_memory_finish(weir_context *context, struct weir_palette_memory *memory);

#endif
