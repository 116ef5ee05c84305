// SPDX-License-Identifier: MIT
// Shared by the pyramids' kernels and src/pyramid: how a kernel is specialised, bound and
// dispatched.
#ifndef WEIR_SHADERS_PYRAMID_CONSTANTS_H
#define WEIR_SHADERS_PYRAMID_CONSTANTS_H

#define WEIR_PYRAMID_MAX_LEVELS 16u // that a set binds: the base and those after it
#define WEIR_PYRAMID_MAX_STAGES 5u  // that the one-dispatch kernel makes a chain in

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
#define WEIR_PYRAMID_CONSTANT_EVEN_STAGE 9u    // bool: and those of the first stage's levels
#define WEIR_PYRAMID_NUM_CONSTANTS 10u

// How texels become one: enum weir_pyramid_reduction.
#define WEIR_PYRAMID_REDUCTION_MEAN 0u
#define WEIR_PYRAMID_REDUCTION_ALPHA_MEAN 1u
#define WEIR_PYRAMID_REDUCTION_MIN 2u
#define WEIR_PYRAMID_REDUCTION_MAX 3u
#define WEIR_PYRAMID_REDUCTION_MIN_MAX 4u
#define WEIR_PYRAMID_REDUCTION_LUMA_MEAN 5u

// Descriptor sets. Of the images:
#define WEIR_PYRAMID_SET_IMAGES 0u
#define WEIR_PYRAMID_BINDING_BASES 0u   // sampled images, one an image of a batch
#define WEIR_PYRAMID_BINDING_LEVELS 1u  // storage images, MAX_LEVELS an image of a batch
#define WEIR_PYRAMID_BINDING_SAMPLER 2u // averages pairs of texels, clamped to the edge
// Of the one-dispatch kernel's scratch memory:
#define WEIR_PYRAMID_SET_SCRATCH 1u
#define WEIR_PYRAMID_BINDING_TEXELS 0u   // that a stage leaves to the next
#define WEIR_PYRAMID_BINDING_COUNTERS 1u // of tiles that have arrived
#define WEIR_PYRAMID_NUM_SETS 2u

// Texels of an axis that a workgroup makes. PER_LEVEL and COPY: of their level.
#define WEIR_PYRAMID_GROUP_SIDE 16u
// GENERAL: of the last of its two levels.
#define WEIR_PYRAMID_GENERAL_SIDE 8u
// FAST and SUBGROUP: of the level that they start with, an invocation each. FAST starts with the
// second of its levels where it makes as many as it can.
#define WEIR_PYRAMID_EVEN_SIDE 16u
#define WEIR_PYRAMID_FAST_LEVELS 6u
// SINGLE: of the first level of a tile, which is larger in the first stage, as an invocation makes
// four texels there; and how many levels a tile can be made of.
#define WEIR_PYRAMID_FIRST_SIDE 32u
#define WEIR_PYRAMID_FIRST_LEVELS 6u
#define WEIR_PYRAMID_LATER_SIDE 16u
#define WEIR_PYRAMID_LATER_LEVELS 5u
// SINGLE shuffles where a subgroup spans a row of FIRST_SIDE invocations.
#define WEIR_PYRAMID_SHUFFLE_SIZE 32u

// Push constants: where each member starts, and the end [bytes].
#define WEIR_PYRAMID_PUSH_SIZE 0u
#define WEIR_PYRAMID_PUSH_NUM_LEVELS 8u
#define WEIR_PYRAMID_PUSH_NUM_LAYERS 12u
#define WEIR_PYRAMID_PUSH_USER 16u
#define WEIR_PYRAMID_PUSH_STAGES 32u
#define WEIR_PYRAMID_PUSH_SLICE_TEXELS 112u
#define WEIR_PYRAMID_PUSH_SLICE_COUNTERS 116u
#define WEIR_PYRAMID_PUSH_FLAGS 120u
#define WEIR_PYRAMID_PUSH_FIRST_SLICE 124u
#define WEIR_PYRAMID_PUSH_END 128u

// Bits of its flags.
#define WEIR_PYRAMID_FLAG_COPIES 1u  // levels[0] is written too
#define WEIR_PYRAMID_FLAG_FILTERS 2u // the sampler may average texels of this base, if FILTERED

// A stage in four words: num_levels, and beside it three more bytes; tiles_x, and beside it
// tiles_y; then where its texels and its counters start in the scratch of a slice.
#define WEIR_PYRAMID_STAGE_LEVEL_SHIFT 8
#define WEIR_PYRAMID_STAGE_TILE_WIDTH_SHIFT 16
#define WEIR_PYRAMID_STAGE_TILE_HEIGHT_SHIFT 24
#define WEIR_PYRAMID_STAGE_TILES_Y_SHIFT 16

// The version of the interface between the library and a kernel that a program compiles itself. It
// grows when bindings, push constants, specialization constants or the functions of
// weir/pyramid_custom.glsl change, so that such a kernel must be compiled again.
#define WEIR_PYRAMID_CUSTOM_VERSION 1

// The id of the specialization constant whose default value is the version that a kernel was
// compiled for.
#define WEIR_PYRAMID_CUSTOM_VERSION_ID 31

#endif
