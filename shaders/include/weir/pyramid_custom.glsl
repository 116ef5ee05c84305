// SPDX-License-Identifier: MIT
// A pyramid with your own reduction: the one-dispatch kernel around three functions of yours.
//
//     #version 460
//     #extension GL_GOOGLE_include_directive : require
//     #include "weir/pyramid_custom.glsl"
//
//   // The brightest texel under each, where weir_user weighs the channels.
//     vec4 weir_load(vec4 texel, ivec2 position, inout float weight)
//     {
//         return vec4(dot(texel, weir_user));
//     }
//     vec4 weir_reduce(vec4 a, vec4 b, vec4 c, vec3 weights) { return max(max(a, b), c); }
//     vec4 weir_store(vec4 value) { return value; }
//
// Compile it, and set weir_pyramid_params.kernel to the SPIR-V, with the reduction
// WEIR_PYRAMID_CUSTOM:
//
//     glsl=$(pkg-config --variable=glsldir weir)
//     glslc --target-env=vulkan1.2 -I"$glsl" -mfmt=c mine.comp -o mine.inc
//
// In CMake the folder is weir_GLSL_DIR of find_package(weir); in Weir's own tree use -I shaders and
// -I shaders/include. The SPIR-V contains WEIR_PYRAMID_CUSTOM_VERSION. A library with another
// version refuses it: compile it again then.
//
// The feature shaderStorageImageWriteWithoutFormat must be enabled, as for every method but BLIT,
// and every other feature that your functions use.
//
// A value is a vec4 with any meaning: it is carried from level to level in 32-bit floats, never
// filtered, clamped or rounded. Your functions must be pure, because how often, in what order and
// by which invocation they are called is not defined; texels at the border of two tiles are
// computed twice. They may call other functions and read constants, but must neither call barrier()
// nor declare bindings. Avoid the names that this include declares without weir_ (load, store,
// base, levels, Slice, ...), for example by a prefix of your own.
#ifndef WEIR_PYRAMID_CUSTOM_GLSL
#define WEIR_PYRAMID_CUSTOM_GLSL
#define WEIR_CUSTOM

// Get the value of a texel of the input, which is the first level of the chain, or the source. It
// is not called for levels that the kernel computes.
//
// `texel` is the texel as the input's view reads it: linear light if its format is SRGB; missing G
// and B are 0, missing A is 1; depth is in R. `position` is that of the texel from the upper left.
//
// `weight` is 1 on entry. Set it to 0 or a positive finite number to weigh the texel in the first
// step: `weights` of weir_reduce() are then the texels' shares of the area times `weight`, scaled
// to a sum of 1 (if all are 0: the plain shares). Later steps always use the plain shares.
vec4 weir_load(vec4 texel, ivec2 position, inout float weight);

// Get one value from three neighbours: those of a row, or the results of three rows.
//
// `weights` are their shares and add up to 1. An axis of odd size has three taps. An axis of even
// size has two: `c` is then a copy of `b`, with a weight of 0 or with half of the weight of `b`. So
// a weighted sum is correct, and so are min, max and other functions without weights that may see a
// value twice. On an axis with one texel the function is not called.
//
// A weight of 0 times an infinity is NaN. This can happen if weir_load() sets weights to 0.
vec4 weir_reduce(vec4 a, vec4 b, vec4 c, vec3 weights);

// Get the texel that a level stores for a value. It is called once for each stored texel, never
// between levels. The format's conversion follows: missing channels are dropped, UNORM is clamped
// and rounded, and SRGB formats encode R, G and B from linear light.
//
// If the source is as large as first_level, that level becomes weir_store(weir_load(...)).
vec4 weir_store(vec4 value);

// weir_pyramid_run.user of the run.
#define weir_user (push.user)

#include "pyramid/constants.h"
layout(constant_id = WEIR_PYRAMID_CUSTOM_VERSION_ID) const uint weir_custom_version =
    WEIR_PYRAMID_CUSTOM_VERSION;

#include "pyramid/single_kernel.glsl"
#endif
