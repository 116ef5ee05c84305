// SPDX-License-Identifier: MIT
// The push constants of the kernels of palette reduction, in GLSL and in src/palette.
uvec2 size; // of an image [texels]
// The most colours, cells and states that the memory has room for. max_states is 0 if trajectories
// do not merge.
uint max_colors, max_cells, max_states;
uint max_unfinished;    // trajectories that one of the two lists of Unfinished has room for
uint radius;            // rounded up [lattice units]
uint limit;             // most steps of a trajectory; 0: no limit
uvec2 radius_squared;   // as two words, the low word first
uint max_work;          // most rounds of all subgroups in a dispatch
uint max_subgroup_work; // and of each subgroup
uint pass;              // number of the dispatch that resolves
uint num_means;         // colours that k-means looks for
uint max_kept;          // rare colours that it keeps at most
uint spacing; // side of the squares of an image in each of which one pixel is looked at [texels]
