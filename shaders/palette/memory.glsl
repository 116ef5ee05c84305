// SPDX-License-Identifier: MIT
// The memory of a palette reduction, bound to all of its kernels: src/palette/memory.c.

#include "palette/constants.h"

// What the host reads comes first: weir_palette_get_stats().
layout(set = WEIR_PALETTE_SET_MEMORY, binding = WEIR_PALETTE_BINDING_CONTROL, std430)
buffer Control {
    layout(offset = WEIR_PALETTE_REPORT_NUM_COLORS) uint num_colors; // that were counted
    layout(offset = WEIR_PALETTE_REPORT_NUM_NEW_COLORS) uint num_new_colors;
    layout(offset = WEIR_PALETTE_REPORT_NUM_UNFINISHED) uint num_unfinished;
    layout(offset = WEIR_PALETTE_REPORT_MAX_STEPS) uint max_steps;
    // of 64 bits, low first
    layout(offset = WEIR_PALETTE_REPORT_NUM_EVALUATIONS) uvec2 num_evaluations;
    layout(offset = WEIR_PALETTE_REPORT_NUM_TESTS) uvec2 num_tests;
    // more colours than there is room for
    layout(offset = WEIR_PALETTE_REPORT_OVERFLOW) uint overflow;

    // Of a run: zero before it.
    // num_colors, or 0 where they overflow
    layout(offset = WEIR_PALETTE_REPORT_END) uint num_points;
    uint num_states;    // slots of the table of states that are used, a power of 2
    uint state_mask;    // states are noted where these bits of their hash are 0
    uint finished;      // workgroups of a dispatch that are done
    uint work;          // rounds of all subgroups of a dispatch
    uint ticket;        // the next piece of work of a dispatch
    uint next_point;    // the first that no dispatch has taken up
    uint turn;          // which half of the list a dispatch takes from
    uint num_taken;     // trajectories in that half
    uint num_left;      // in the other, so far
    uint inverted_low[3]; // ~ the smallest coordinates
    uint high[3];       // the largest

    // The grid: columns along L over squares of a and b.
    uint shift_l, shift_ab; // a cell is 1 << shift lattice units wide
    uint cells_l, cells_a, cells_b;
    uint num_cells;
    // squared distances of points that are looked at have 32 bits
    layout(offset = WEIR_PALETTE_CONTROL_END - 4u) uint is_narrow;
} control;

layout(set = WEIR_PALETTE_SET_MEMORY, binding = WEIR_PALETTE_BINDING_BITS, std430)
    buffer Bits { uint bits[]; }; // colours that are there, then new ones
layout(set = WEIR_PALETTE_SET_MEMORY, binding = WEIR_PALETTE_BINDING_BINS, std430)
    buffer Bins { uint bins[]; }; // pixels of a colour, then its new colour
layout(set = WEIR_PALETTE_SET_MEMORY, binding = WEIR_PALETTE_BINDING_COLORS, std430)
    buffer Colors { uint colors[]; }; // those that are there
layout(set = WEIR_PALETTE_SET_MEMORY, binding = WEIR_PALETTE_BINDING_COUNTS, std430)
    buffer Counts { uint counts[]; }; // and their pixels
layout(set = WEIR_PALETTE_SET_MEMORY, binding = WEIR_PALETTE_BINDING_POINTS, std430)
    buffer Points { uint64_t points[]; }; // in the order of cells
layout(set = WEIR_PALETTE_SET_MEMORY, binding = WEIR_PALETTE_BINDING_WEIGHTS, std430)
    buffer Weights { uint weights[]; }; // of points
layout(set = WEIR_PALETTE_SET_MEMORY, binding = WEIR_PALETTE_BINDING_ORDER, std430)
    buffer Order { uint order[]; }; // the colours of points
layout(set = WEIR_PALETTE_SET_MEMORY, binding = WEIR_PALETTE_BINDING_CELLS, std430)
    buffer Cells { uint cells[]; }; // the first point of each, and the end

// Weights, and coordinates times weights, of one point or of many.
struct Sum {
    uint64_t l, a, b;
    uint w, unused; // a sum is what a cache moves at a time
};
// Of the points up to each, inclusive. Before that l is the point of a colour, and a its cell and
// its place there; after it a is where a trajectory ends.
layout(set = WEIR_PALETTE_SET_MEMORY, binding = WEIR_PALETTE_BINDING_SUMS, std430)
    buffer Sums { Sum sums[]; };
layout(set = WEIR_PALETTE_SET_MEMORY, binding = WEIR_PALETTE_BINDING_PARTIALS, std430)
    buffer Partials { Sum partials[]; }; // of runs of points, or of cells

layout(set = WEIR_PALETTE_SET_MEMORY, binding = WEIR_PALETTE_BINDING_STATES, std430)
    buffer States { uint64_t states[]; }; // a hash table
layout(set = WEIR_PALETTE_SET_MEMORY, binding = WEIR_PALETTE_BINDING_OWNERS, std430)
    buffer Owners { uint owners[]; }; // who was there first
layout(set = WEIR_PALETTE_SET_MEMORY, binding = WEIR_PALETTE_BINDING_ENDS, std430)
    buffer Ends { uint64_t ends[]; }; // of trajectories
layout(set = WEIR_PALETTE_SET_MEMORY, binding = WEIR_PALETTE_BINDING_UNFINISHED, std430)
    buffer Unfinished { uvec4 unfinished[]; }; // two halves
layout(set = WEIR_PALETTE_SET_MEMORY, binding = WEIR_PALETTE_BINDING_TABLES, std430)
readonly buffer Tables { // Q31
    uint linear[WEIR_PALETTE_NUM_CODES];
    uint thresholds[WEIR_PALETTE_NUM_CODES];
};

layout(push_constant, std430) uniform Push {
    layout(offset = WEIR_PALETTE_PUSH_SIZE) uvec2 size; // of an image [texels]
    layout(offset = WEIR_PALETTE_PUSH_MAX_COLORS) uint max_colors; // room for colours
    layout(offset = WEIR_PALETTE_PUSH_MAX_CELLS) uint max_cells; // likewise
    // likewise; 0: trajectories do not merge
    layout(offset = WEIR_PALETTE_PUSH_MAX_STATES) uint max_states;
    layout(offset = WEIR_PALETTE_PUSH_MAX_UNFINISHED) uint max_unfinished; // likewise
    layout(offset = WEIR_PALETTE_PUSH_RADIUS) uint radius; // rounded up [lattice units]
    layout(offset = WEIR_PALETTE_PUSH_LIMIT) uint limit; // steps of a trajectory; 0: none
    // of 64 bits, low first
    layout(offset = WEIR_PALETTE_PUSH_RADIUS_SQUARED) uvec2 radius_squared;
    layout(offset = WEIR_PALETTE_PUSH_MAX_WORK) uint max_work; // rounds in a dispatch
    // and of each subgroup
    layout(offset = WEIR_PALETTE_PUSH_MAX_SUBGROUP_WORK) uint max_subgroup_work;
    layout(offset = WEIR_PALETTE_PUSH_PASS) uint pass; // of resolving
} push;

// Of kernels over colours, points, cells or slots.
const uint NUM_INVOCATIONS = WEIR_PALETTE_NUM_GROUPS * WEIR_PALETTE_GROUP_SIZE;

uint64_t join_words(uvec2 words)
{
    return uint64_t(words.y) << 32 | uint64_t(words.x);
}
