// SPDX-License-Identifier: MIT
// Shared by the kernels of palette reduction and src/palette: how they are specialised, bound and
// dispatched, and what lies where in memory.
#ifndef WEIR_SHADERS_PALETTE_CONSTANTS_H
#define WEIR_SHADERS_PALETTE_CONSTANTS_H

// Number of colours of 8 bits a channel, and of words that have a bit for each.
#define WEIR_PALETTE_NUM_COLORS (1u << 24)
#define WEIR_PALETTE_NUM_WORDS (WEIR_PALETTE_NUM_COLORS / 32u)
// Number of codes of a channel, and so of entries in the tables of light.
#define WEIR_PALETTE_NUM_CODES 256u

// Coordinates of points are integers: a unit of Oklab is 2 to this.
#define WEIR_PALETTE_LATTICE_BITS 24
// A cell of the grid is at most 2 to this wide in a and b, so that a point has 64 bits.
#define WEIR_PALETTE_MAX_CELL_BITS 19

// Number of workgroups of a kernel over colours, points, cells or slots at most, and of invocations
// in a workgroup. Invocation i of n takes the elements i, i + n, i + 2n and so on, or a run of
// elements.
#define WEIR_PALETTE_MAX_GROUPS 1024u
#define WEIR_PALETTE_GROUP_SIZE 256u
// Pixels that a workgroup of a kernel over an image covers, one an invocation.
#define WEIR_PALETTE_TILE_WIDTH 32u
#define WEIR_PALETTE_TILE_HEIGHT 8u
// Invocations of a workgroup that moves trajectories.
#define WEIR_PALETTE_MOVING_SIZE 128u

// Logarithms of the smallest and of the largest number of slots in the table of states, and the
// number of slots that are wanted for each colour. A slot's number holds as many bits of a state as
// the first of these says: states.glsl.
#define WEIR_PALETTE_MIN_STATES_LOG2 16
#define WEIR_PALETTE_MAX_STATES_LOG2 25
#define WEIR_PALETTE_STATES_OF_COLOR 32u

// Resolving: a dispatch follows a trajectory through at most NUM_HOPS meetings, and there are
// NUM_PASSES dispatches. Each follows the paths that the one before has shortened, so together they
// follow 64^4 meetings, as many as there are colours.
#define WEIR_PALETTE_NUM_HOPS 64u
#define WEIR_PALETTE_NUM_PASSES 4u

// Clusters of k-means at most, and so invocations of the workgroup that moves them. Coordinates are
// integers of 0 to 2 to MEAN_BITS.
#define WEIR_PALETTE_MAX_MEANS 256u
#define WEIR_PALETTE_MEAN_BITS 15u
// Passes of Lloyd's iteration after clusters were split, and after some were given up.
#define WEIR_PALETTE_GROWING_PASSES 3u
#define WEIR_PALETTE_MOVING_PASSES 4u
#define WEIR_PALETTE_NUM_MOVES 6u    // times that clusters are given up for others to be split
#define WEIR_PALETTE_FINAL_PASSES 8u // at the end, at most

// A palette that follows from frame to frame: steps of a channel in a table of nearest colours, the
// side of the blocks of bins that a workgroup fills, one an invocation; tiles of pixels that one
// maps; sums of a colour; pixels that a frame looks at at most, and the side of the square of them
// that a workgroup has.
#define WEIR_PALETTE_LIVE_STEPS 64u
#define WEIR_PALETTE_LIVE_BLOCK 4u
#define WEIR_PALETTE_LIVE_TILES 8u
#define WEIR_PALETTE_LIVE_SUMS 7u
#define WEIR_PALETTE_MAX_LOOKED (1u << 16)
#define WEIR_PALETTE_LOOK_SIDE 16u
#define WEIR_PALETTE_LIVE_BINS                                                                     \
    (WEIR_PALETTE_LIVE_STEPS * WEIR_PALETTE_LIVE_STEPS * WEIR_PALETTE_LIVE_STEPS)

// Specialization constants: their ids. A kernel that has no use for one does not declare it.
#define WEIR_PALETTE_CONSTANT_SOURCE_KIND 0u // WEIR_SOURCE_*
#define WEIR_PALETTE_CONSTANT_TABLE 1u       // bool: 64 steps of an axis in place of 256
#define WEIR_PALETTE_CONSTANT_FREQUENCY 2u   // bool: a colour weighs as much as it has pixels
#define WEIR_PALETTE_CONSTANT_IN_STEP 3u     // bool: the lanes of a subgroup run in step
#define WEIR_PALETTE_CONSTANT_OKLAB 4u       // bool: k-means in Oklab in place of codes
#define WEIR_PALETTE_CONSTANT_PATTERN 5u     // WEIR_PALETTE_ORDERED and so on: dither
#define WEIR_PALETTE_CONSTANT_NUM_GROUPS 6u  // uint: of a kernel over colours, points and so on
#define WEIR_PALETTE_NUM_CONSTANTS 7u

// Patterns of dither.
#define WEIR_PALETTE_UNDITHERED 0u
#define WEIR_PALETTE_ORDERED 1u
#define WEIR_PALETTE_BLUE_NOISE 2u
// Side of the pattern of blue noise, which repeats [texels].
#define WEIR_PALETTE_NOISE_SIDE 64u

// Descriptor sets. All but MEMORY have one descriptor each, at binding 0.
#define WEIR_PALETTE_SET_MEMORY 0u
#define WEIR_PALETTE_SET_SOURCE 1u  // the image that is counted or mapped
#define WEIR_PALETTE_SET_OUTPUT 2u  // the image in new colours
#define WEIR_PALETTE_SET_NEAREST 3u // a table of nearest colours: live.glsl
#define WEIR_PALETTE_NUM_SETS 4u

// Storage buffers of MEMORY: memory.glsl says what each holds.
#define WEIR_PALETTE_BINDING_CONTROL 0u
#define WEIR_PALETTE_BINDING_BITS 1u
#define WEIR_PALETTE_BINDING_BINS 2u
#define WEIR_PALETTE_BINDING_COLORS 3u
#define WEIR_PALETTE_BINDING_COUNTS 4u
#define WEIR_PALETTE_BINDING_POINTS 5u
#define WEIR_PALETTE_BINDING_WEIGHTS 6u
#define WEIR_PALETTE_BINDING_ORDER 7u
#define WEIR_PALETTE_BINDING_CELLS 8u
#define WEIR_PALETTE_BINDING_SUMS 9u
#define WEIR_PALETTE_BINDING_PARTIALS 10u
#define WEIR_PALETTE_BINDING_STATES 11u
#define WEIR_PALETTE_BINDING_OWNERS 12u
#define WEIR_PALETTE_BINDING_ENDS 13u
#define WEIR_PALETTE_BINDING_UNFINISHED 14u
#define WEIR_PALETTE_BINDING_TABLES 15u
#define WEIR_PALETTE_NUM_BINDINGS 16u
// Of colours, before there are sums and after they were of use.
#define WEIR_PALETTE_BINDING_NOTES WEIR_PALETTE_BINDING_SUMS
// Of k-means, which has no sums over points: means.glsl says what it holds, and its size [bytes].
#define WEIR_PALETTE_BINDING_MEANS WEIR_PALETTE_BINDING_SUMS
#define WEIR_PALETTE_MEANS_POINTS 32u // offset of the first mean [bytes]
#define WEIR_PALETTE_MEANS_SIZE (WEIR_PALETTE_MEANS_POINTS + WEIR_PALETTE_MAX_MEANS * 72u)

// Of a palette that follows from frame to frame: live.glsl.
#define WEIR_PALETTE_BINDING_LOOKED WEIR_PALETTE_BINDING_WEIGHTS
#define WEIR_PALETTE_BINDING_REPORTS WEIR_PALETTE_BINDING_UNFINISHED

// The start of CONTROL, which the host reads: the offset of each member, the end of that part and
// the end of CONTROL [bytes].
#define WEIR_PALETTE_REPORT_NUM_COLORS 0u
#define WEIR_PALETTE_REPORT_NUM_NEW_COLORS 4u
#define WEIR_PALETTE_REPORT_NUM_UNFINISHED 8u
#define WEIR_PALETTE_REPORT_MAX_STEPS 12u
#define WEIR_PALETTE_REPORT_NUM_EVALUATIONS 16u
#define WEIR_PALETTE_REPORT_NUM_TESTS 24u
#define WEIR_PALETTE_REPORT_OVERFLOW 32u
#define WEIR_PALETTE_REPORT_END 36u
#define WEIR_PALETTE_CONTROL_END 124u

#endif
