// SPDX-License-Identifier: MIT
// A pyramid with a reduction of your own: the one-dispatch kernel around three functions of yours.
//
//     #version 460
//     #extension GL_GOOGLE_include_directive : require
//     #include "weir/pyramid_custom.glsl"
//
//     // The brightest texel under each, brightness being weighed by weir_user.
//     vec4 weir_load(vec4 texel, ivec2 position, inout float weight)
//     {
//         return vec4(dot(texel, weir_user));
//     }
//     vec4 weir_reduce(vec4 a, vec4 b, vec4 c, vec3 weights) { return max(max(a, b), c); }
//     vec4 weir_store(vec4 value) { return value; }
//
// Compile it, and give the SPIR-V to weir_pyramid_params.kernel with the reduction
// WEIR_PYRAMID_CUSTOM:
//
//     glsl=$(pkg-config --variable=glsldir weir)
//     glslc --target-env=vulkan1.2 -I"$glsl" -mfmt=c mine.comp -o mine.inc
//
// (In CMake the folder is weir_GLSL_DIR of find_package(weir); in Weir's own tree it is two,
// shaders and shaders/include.) A kernel holds the version of the interface that it was compiled
// for, WEIR_PYRAMID_CUSTOM_VERSION. A library with another version refuses it: compile it again
// then.
//
// The device must have enabled shaderStorageImageWriteWithoutFormat, as for every method but BLIT.
// If your functions use other features, you must enable them.
//
// A value is a vec4 that means what you like: it is never filtered, clamped or rounded on its way
// from one level to the next, but carried in 32-bit floats. Your functions must be pure: how often
// and in what order they are called, and by which invocation, is not promised; texels on the border
// of two tiles are made twice. They may call functions of your own and read constants, but neither
// call barrier() nor bind anything. The names of this include that do not begin with weir_ (load,
// store, base, levels, Slice, ...) are its own: begin yours with something else.
#ifndef WEIR_PYRAMID_CUSTOM_GLSL
#define WEIR_PYRAMID_CUSTOM_GLSL
#define WEIR_CUSTOM

// Get the value of a texel of the input, which is the first level of the chain, or the source. It
// is not called for levels that are made.
//
// `texel` is the texel as the input's view reads it: linear light where its format is SRGB, 0 in G
// and B and 1 in A where it has none, depth in R. `position` counts its texels from the upper left.
//
// `weight` is 1; set it, to 0 or a finite number above, and a texel counts that much beside its
// neighbours in the first step: `weights` of weir_reduce() are the texels' shares of the area times
// that, scaled to add up to 1. Where all are 0 they are the plain shares. Later steps have plain
// shares always.
vec4 weir_load(vec4 texel, ivec2 position, inout float weight);

// Get one value from three that lie beside each other: those of a row, or the results of rows.
//
// `weights` are their shares and add up to 1. An axis of odd size has three taps. One of even size
// has two: `c` is `b` again then, and either has a weight of 0 or takes half of the weight of `b`.
// So a weighted sum is right, and min, max and whatever else takes a value twice are right without
// the weights. Where an axis has but one texel it is passed on without a call.
//
// A weight of 0 times an infinity is NaN. That can come up where the weights of weir_load() are 0.
vec4 weir_reduce(vec4 a, vec4 b, vec4 c, vec3 weights);

// Get the texel that a level stores for a value. It is called once for each texel that is stored,
// never between levels. The format's conversion comes after it: a channel that is missing is
// dropped, UNORM is clamped and rounded, and of an SRGB format R, G and B are encoded from linear
// light.
//
// A source as large as first_level is stored in it as weir_store(weir_load(...)).
vec4 weir_store(vec4 value);

// weir_pyramid_run.user of the run.
#define weir_user (push.user)

#include "pyramid/constants.h"
layout(constant_id = WEIR_PYRAMID_CUSTOM_VERSION_ID) const uint weir_custom_version =
    WEIR_PYRAMID_CUSTOM_VERSION;

#include "pyramid/single_kernel.glsl"
#endif
