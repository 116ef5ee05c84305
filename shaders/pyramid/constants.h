// SPDX-License-Identifier: MIT
// Shared by the pyramids' kernels and src/pyramid: how a kernel is specialised, bound and
// dispatched.
#ifndef WEIR_SHADERS_PYRAMID_CONSTANTS_H
#define WEIR_SHADERS_PYRAMID_CONSTANTS_H

#define WEIR_PYRAMID_MAX_LEVELS 16u // levels that a set binds: the base and those after it
#define WEIR_PYRAMID_MAX_STAGES 5u  // stages in which the one-dispatch kernel makes a chain

// Specialization constants: their ids. A kernel that has no use for one does not declare it.
#define WEIR_PYRAMID_CONSTANT_REDUCTION 0u     // WEIR_PYRAMID_REDUCTION_*
#define WEIR_PYRAMID_CONSTANT_STORE_SRGB 1u    // bool: encode colour before a store
#define WEIR_PYRAMID_CONSTANT_FIRST 2u         // bool: the base is the pyramid's input
#define WEIR_PYRAMID_CONSTANT_ONE_CHANNEL 3u   // bool: the base has no G
#define WEIR_PYRAMID_CONSTANT_FILTERED 4u      // bool: the sampler may average texels of the base
#define WEIR_PYRAMID_CONSTANT_BOUNDED 5u       // bool: rounding must not leave the range of taps
#define WEIR_PYRAMID_CONSTANT_NUM_IMAGES 6u    // uint: images of a batch
#define WEIR_PYRAMID_CONSTANT_SUBGROUP_SIZE 7u // uint: of full subgroups that shuffle; 0: none do
#define WEIR_PYRAMID_CONSTANT_EVEN_BASE 8u     // bool: both sides of the base are even
#define WEIR_PYRAMID_CONSTANT_EVEN_STAGE 9u    // bool: and of the first stage's levels but the last
#define WEIR_PYRAMID_CONSTANT_DECODE_SRGB 10u  // bool: the base is read as codes, and decoded
#define WEIR_PYRAMID_CONSTANT_ROUND_SRGB 11u   // bool: round codes before a store of 8 bits
#define WEIR_PYRAMID_CONSTANT_NUM_CHANNELS 12u // uint: of the values that levels are made of
#define WEIR_PYRAMID_CONSTANT_WORDS 13u        // WEIR_PYRAMID_WORDS_*
#define WEIR_PYRAMID_CONSTANT_MAX_ROUND 14u    // uint: tiles of a round of a later stage, at most 4
#define WEIR_PYRAMID_NUM_CONSTANTS 15u

// The reductions, which make one texel of several: enum weir_pyramid_reduction.
#define WEIR_PYRAMID_REDUCTION_MEAN 0u
#define WEIR_PYRAMID_REDUCTION_ALPHA_MEAN 1u
#define WEIR_PYRAMID_REDUCTION_MIN 2u
#define WEIR_PYRAMID_REDUCTION_MAX 3u
#define WEIR_PYRAMID_REDUCTION_MIN_MAX 4u
#define WEIR_PYRAMID_REDUCTION_LUMA_MEAN 5u

// The formats whose texels kernels read as words of 32 bits.
#define WEIR_PYRAMID_WORDS_RG16F 0u   // SFLOAT
#define WEIR_PYRAMID_WORDS_RGBA16F 1u // SFLOAT, two words

// Descriptor set of the images.
#define WEIR_PYRAMID_SET_IMAGES 0u
#define WEIR_PYRAMID_BINDING_BASES 0u   // sampled images, one for each image of a batch
#define WEIR_PYRAMID_BINDING_LEVELS 1u  // storage images, MAX_LEVELS for each image of a batch
#define WEIR_PYRAMID_BINDING_SAMPLER 2u // averages pairs of texels, clamped to the edge
#define WEIR_PYRAMID_BINDING_GATHERS 3u // sampler of words, clamped to the edge
// Descriptor set of the one-dispatch kernel's scratch memory.
#define WEIR_PYRAMID_SET_SCRATCH 1u
#define WEIR_PYRAMID_BINDING_TEXELS 0u   // texels that a stage leaves to the next
#define WEIR_PYRAMID_BINDING_COUNTERS 1u // counters of tiles that have arrived
#define WEIR_PYRAMID_NUM_SETS 2u

// Sides of the square of texels that a workgroup makes. PER_LEVEL and COPY: in their level.
#define WEIR_PYRAMID_GROUP_SIDE 16u
// GENERAL: in the last of its two levels.
#define WEIR_PYRAMID_GENERAL_SIDE 8u
// FAST and SUBGROUP: in the level that they start with, where each invocation makes one texel. FAST
// starts with the second level if it makes FAST_LEVELS levels, the most that it can.
#define WEIR_PYRAMID_EVEN_SIDE 16u
#define WEIR_PYRAMID_FAST_LEVELS 6u
// SINGLE: in the first level of a tile, and the most levels of a tile. Tiles of the first stage are
// larger, as an invocation makes four texels there.
#define WEIR_PYRAMID_FIRST_SIDE 32u
#define WEIR_PYRAMID_FIRST_LEVELS 6u
#define WEIR_PYRAMID_LATER_SIDE 16u
#define WEIR_PYRAMID_LATER_LEVELS 5u
// SINGLE shuffles if a subgroup spans at least a row of FIRST_SIDE invocations.
#define WEIR_PYRAMID_SHUFFLE_SIZE 32u

// Bits of the push constant `flags`.
#define WEIR_PYRAMID_FLAG_COPIES 1u  // levels[0] is written too
#define WEIR_PYRAMID_FLAG_FILTERS 2u // the sampler may average texels of this base, if FILTERED

// A stage in four words: num_levels, level, tile width and tile height, a byte each; tiles_x and
// tiles_y, 16 bits each; the place of its texels in the scratch of a slice; and that of its
// counters.
#define WEIR_PYRAMID_STAGE_LEVEL_SHIFT 8
#define WEIR_PYRAMID_STAGE_TILE_WIDTH_SHIFT 16
#define WEIR_PYRAMID_STAGE_TILE_HEIGHT_SHIFT 24
#define WEIR_PYRAMID_STAGE_TILES_Y_SHIFT 16

// The version of the interface between the library and a kernel that a program compiles itself. It
// grows when bindings, push constants, specialization constants or the functions of
// weir/pyramid_custom.glsl change, so that such a kernel must be compiled again.
#define WEIR_PYRAMID_CUSTOM_VERSION 3

// The id of the specialization constant whose default value is the version that a kernel was
// compiled for.
#define WEIR_PYRAMID_CUSTOM_VERSION_ID 31

#endif
