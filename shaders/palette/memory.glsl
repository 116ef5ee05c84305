// SPDX-License-Identifier: MIT
// The memory of a palette reduction, bound to all of its kernels: src/palette/memory.c.
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require

#include "palette/constants.h"

// The members that the host reads come first: weir_palette_get_stats().
layout(set = WEIR_PALETTE_SET_MEMORY, binding = WEIR_PALETTE_BINDING_CONTROL, std430)
buffer Control {
    // distinct colours of the images that were counted
    layout(offset = WEIR_PALETTE_REPORT_NUM_COLORS) uint num_colors;
    layout(offset = WEIR_PALETTE_REPORT_NUM_NEW_COLORS) uint num_new_colors;
    layout(offset = WEIR_PALETTE_REPORT_NUM_UNFINISHED) uint num_unfinished;
    layout(offset = WEIR_PALETTE_REPORT_MAX_STEPS) uint max_steps;
    // Numbers of 64 bits as two words, the low word first.
    layout(offset = WEIR_PALETTE_REPORT_NUM_EVALUATIONS) uvec2 num_evaluations;
    layout(offset = WEIR_PALETTE_REPORT_NUM_TESTS) uvec2 num_tests;
    // Not 0 if the images have more than max_colors colours. Nothing moves then.
    layout(offset = WEIR_PALETTE_REPORT_OVERFLOW) uint overflow;

    // The members from here on belong to one run, and are 0 when it starts. num_points is
    // num_colors, or 0 after an overflow.
    layout(offset = WEIR_PALETTE_REPORT_END) uint num_points;
    uint num_states;    // slots of the table of states that are used, a power of 2
    uint state_mask;    // a state is noted if these bits of its hash are 0
    uint finished;      // workgroups of a dispatch that are done
    uint work;          // rounds of all subgroups of a dispatch
    uint ticket;        // number of the next piece of work of a dispatch
    uint next_point;    // first point that no dispatch has taken up
    uint turn;          // half of the list of unfinished trajectories that a dispatch takes from
    uint num_taken;     // trajectories in that half
    uint num_left;      // trajectories that have been saved in the other half so far
    // complements of the smallest coordinates, so that one atomic maximum finds them
    uint inverted_low[3];
    uint high[3];       // largest coordinates

    // The grid: columns along L over squares of a and b.
    uint shift_l, shift_ab; // a cell is 1 << shift lattice units wide
    uint cells_l, cells_a, cells_b;
    layout(offset = WEIR_PALETTE_CONTROL_END - 4u) uint num_cells;
} control;

layout(set = WEIR_PALETTE_SET_MEMORY, binding = WEIR_PALETTE_BINDING_BITS, std430)
    buffer Bits { uint bits[]; }; // a bit for each counted colour, then one for each new colour
layout(set = WEIR_PALETTE_SET_MEMORY, binding = WEIR_PALETTE_BINDING_BINS, std430)
    buffer Bins { uint bins[]; }; // of each colour the number of pixels, after a run the new colour
layout(set = WEIR_PALETTE_SET_MEMORY, binding = WEIR_PALETTE_BINDING_COLORS, std430)
    buffer Colors { uint colors[]; }; // the distinct colours
layout(set = WEIR_PALETTE_SET_MEMORY, binding = WEIR_PALETTE_BINDING_COUNTS, std430)
    buffer Counts { uint counts[]; }; // the number of pixels of each distinct colour
layout(set = WEIR_PALETTE_SET_MEMORY, binding = WEIR_PALETTE_BINDING_POINTS, std430)
    buffer Points { uint64_t points[]; }; // the points of the colours, sorted by cell: grid.glsl
layout(set = WEIR_PALETTE_SET_MEMORY, binding = WEIR_PALETTE_BINDING_WEIGHTS, std430)
    buffer Weights { uint weights[]; }; // the weight of each point
layout(set = WEIR_PALETTE_SET_MEMORY, binding = WEIR_PALETTE_BINDING_ORDER, std430)
    buffer Order { uint order[]; }; // the colour of each point
layout(set = WEIR_PALETTE_SET_MEMORY, binding = WEIR_PALETTE_BINDING_CELLS, std430)
    buffer Cells { uint cells[]; }; // the first point of each cell, and the end of the last cell

// The sum of the coordinates times weights, and of the weights, of one point or of many.
struct Sum {
    uint64_t l, a, b;
    uint w, unused; // `unused` makes a Sum 32 bytes, which caches load in one piece
};
// The sum of the points up to each, inclusive, with a and b from the corners of their columns.
layout(set = WEIR_PALETTE_SET_MEMORY, binding = WEIR_PALETTE_BINDING_SUMS, std430)
    buffer Sums { Sum sums[]; };
// What is known of a colour before the sums are made. After the trajectories have ended,
// resolve.comp writes ends to it.
struct Note {
    uvec4 end;        // the point of the colour: ends.glsl
    uint cell, place; // its cell, and its place in the cell
};
layout(set = WEIR_PALETTE_SET_MEMORY, binding = WEIR_PALETTE_BINDING_NOTES, std430)
    buffer Notes { Note notes[]; };
layout(set = WEIR_PALETTE_SET_MEMORY, binding = WEIR_PALETTE_BINDING_PARTIALS, std430)
    buffer Partials { Sum partials[]; }; // the sum of each workgroup's points, or, in w, cells

layout(set = WEIR_PALETTE_SET_MEMORY, binding = WEIR_PALETTE_BINDING_STATES, std430)
    buffer States { uint64_t states[]; }; // a hash table: states.glsl
layout(set = WEIR_PALETTE_SET_MEMORY, binding = WEIR_PALETTE_BINDING_OWNERS, std430)
    buffer Owners { uint owners[]; }; // the trajectory that came to the state of each slot first
layout(set = WEIR_PALETTE_SET_MEMORY, binding = WEIR_PALETTE_BINDING_ENDS, std430)
    buffer Ends { uvec4 ends[]; }; // where each trajectory is or has ended: ends.glsl

// A colour on its way to its new colour.
struct Trajectory {
    ivec3 state;
    uint index; // number of the point that it starts from
    uint num_steps;
};
layout(set = WEIR_PALETTE_SET_MEMORY, binding = WEIR_PALETTE_BINDING_UNFINISHED, std430)
    // Two lists: a dispatch takes from one and saves to the other.
    buffer Unfinished { Trajectory unfinished[]; };
layout(set = WEIR_PALETTE_SET_MEMORY, binding = WEIR_PALETTE_BINDING_TABLES, std430)
readonly buffer Tables { // light in Q31
    uint linear[WEIR_PALETTE_NUM_CODES];     // the light of each code
    uint thresholds[WEIR_PALETTE_NUM_CODES]; // the least light that becomes each code
    // A pattern of blue noise in rows, two numbers a word, the first one low. With k-means only.
    uint noise[WEIR_PALETTE_NOISE_SIDE * WEIR_PALETTE_NOISE_SIDE / 2u];
};

layout(push_constant, std430) uniform Push {
#include "palette/push.glsl"
} push;

// Invocations of a dispatch over colours, points, cells or slots.
layout(constant_id = WEIR_PALETTE_CONSTANT_NUM_GROUPS) const uint NUM_GROUPS =
    WEIR_PALETTE_MAX_GROUPS;
const uint NUM_INVOCATIONS = NUM_GROUPS * WEIR_PALETTE_GROUP_SIZE;

uint64_t join_words(uvec2 words)
{
    return uint64_t(words.y) << 32 | uint64_t(words.x);
}
