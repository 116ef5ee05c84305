// SPDX-License-Identifier: MIT
// The push constants of the kernels of pyramids, in GLSL and in src/pyramid.
uvec2 size;      // of the base [texels]
uint num_levels; // written after the base
uint num_layers; // of each image
vec4 user;
uvec4 stages[WEIR_PYRAMID_MAX_STAGES]; // stages of the one-dispatch kernel: stage.glsl
// texels and counters of a slice in the scratch memory of that kernel
uint slice_texels, slice_counters;
uint flags;       // WEIR_PYRAMID_FLAG_*
uint first_slice; // the dispatch's, counted over all layers of all images
