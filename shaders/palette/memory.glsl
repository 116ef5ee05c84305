// SPDX-License-Identifier: MIT
// The memory of a palette reduction, bound to all of its kernels: src/palette/memory.c.

// What the host reads comes first: weir_palette_get_stats().
layout(set = 0, binding = 0, std430) buffer Control {
    uint num_colors; // that were counted
    uint num_new_colors;
    uint num_unfinished;
    uint max_steps;
    uvec2 num_evaluations, num_tests; // of 64 bits, low first
    uint overflow;                    // more colours than there is room for

    // Of a run: zero before it.
    uint num_points;    // num_colors, or 0 where they overflow
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
    uint is_narrow; // squared distances of points that are looked at have 32 bits
} control;

layout(set = 0, binding = 1, std430) buffer Bits { uint bits[]; };     // colours that are there, then new ones
layout(set = 0, binding = 2, std430) buffer Bins { uint bins[]; };     // pixels of a colour, then its new colour
layout(set = 0, binding = 3, std430) buffer Colors { uint colors[]; }; // those that are there
layout(set = 0, binding = 4, std430) buffer Counts { uint counts[]; }; // and their pixels
layout(set = 0, binding = 5, std430) buffer Points { uint64_t points[]; }; // in the order of cells
layout(set = 0, binding = 6, std430) buffer Weights { uint weights[]; };   // of points
layout(set = 0, binding = 7, std430) buffer Order { uint order[]; };       // the colours of points
layout(set = 0, binding = 8, std430) buffer Cells { uint cells[]; };       // the first point of each, and the end

// Weights, and coordinates times weights, of one point or of many.
struct Sum {
    uint64_t l, a, b;
    uint w, unused; // a sum is what a cache moves at a time
};
// Of the points up to each, inclusive. Before that l is the point of a colour, and a its cell and its place there; after
// it a is where a trajectory ends.
layout(set = 0, binding = 9, std430) buffer Sums { Sum sums[]; };
layout(set = 0, binding = 10, std430) buffer Partials { Sum partials[]; }; // of runs of points, or of cells

layout(set = 0, binding = 11, std430) buffer States { uint64_t states[]; };      // a hash table
layout(set = 0, binding = 12, std430) buffer Owners { uint owners[]; };          // who was there first
layout(set = 0, binding = 13, std430) buffer Ends { uint64_t ends[]; };          // of trajectories
layout(set = 0, binding = 14, std430) buffer Unfinished { uvec4 unfinished[]; }; // two halves
layout(set = 0, binding = 15, std430) readonly buffer Tables { uint linear[256], thresholds[256]; }; // Q31

layout(push_constant, std430) uniform Push {
    uvec2 size;          // of an image [texels]
    uint max_colors;     // room for colours
    uint max_cells, max_states, max_unfinished; // likewise; no states: trajectories do not merge
    uint radius;         // rounded up [lattice units]
    uint limit;          // steps of a trajectory; 0: none
    uvec2 radius_squared; // of 64 bits, low first
    uint max_work;       // rounds in a dispatch
    uint max_subgroup_work; // and of each subgroup
    uint pass;           // of resolving
} push;

// Colours are bits of words: those that were counted, and behind them the new ones.
const uint NUM_WORDS = 1u << 19;

// Kernels over colours, points, cells or slots take so many invocations, each every so many-th element.
const uint NUM_GROUPS = 1024u, GROUP_SIZE = 256u;
const uint NUM_INVOCATIONS = NUM_GROUPS * GROUP_SIZE;

uint64_t join_words(uvec2 words)
{
    return uint64_t(words.y) << 32 | uint64_t(words.x);
}
