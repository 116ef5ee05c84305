// SPDX-License-Identifier: MIT
// The bindings and push constants of every pyramid kernel: src/pyramid/pyramid.c.
//
// A dispatch reads one level, `base`, and writes levels after it. Levels are counted from the base:
// levels[1] is half of it. levels[0] is as large as the base; only kernels that copy write it.
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_samplerless_texture_functions : require
#extension GL_EXT_shader_image_load_formatted : require

#include "constants.h" // beside this file: single_kernel.glsl
#include "srgb.glsl"

layout(constant_id = WEIR_PYRAMID_CONSTANT_REDUCTION) const uint REDUCTION = 0u;
layout(constant_id = WEIR_PYRAMID_CONSTANT_STORE_SRGB) const bool STORE_SRGB = false;
layout(constant_id = WEIR_PYRAMID_CONSTANT_FIRST) const bool FIRST = false;
layout(constant_id = WEIR_PYRAMID_CONSTANT_ONE_CHANNEL) const bool ONE_CHANNEL = false;
layout(constant_id = WEIR_PYRAMID_CONSTANT_FILTERED) const bool FILTERED = false;
layout(constant_id = WEIR_PYRAMID_CONSTANT_BOUNDED) const bool BOUNDED = false;
layout(constant_id = WEIR_PYRAMID_CONSTANT_EVEN_BASE) const bool EVEN_BASE = false;
layout(constant_id = WEIR_PYRAMID_CONSTANT_NUM_IMAGES) const uint NUM_IMAGES = 1u;
layout(constant_id = WEIR_PYRAMID_CONSTANT_DECODE_SRGB) const bool DECODE_SRGB = false;
layout(constant_id = WEIR_PYRAMID_CONSTANT_ROUND_SRGB) const bool ROUND_SRGB = false;
layout(constant_id = WEIR_PYRAMID_CONSTANT_NUM_CHANNELS) const uint NUM_CHANNELS = 4u;

#include "channels.glsl"
#ifdef WORDS
#include "words.glsl"
#endif

#ifdef BATCH
layout(set = WEIR_PYRAMID_SET_IMAGES, binding = WEIR_PYRAMID_BINDING_BASES)
    uniform texture2DArray bases[NUM_IMAGES];
layout(set = WEIR_PYRAMID_SET_IMAGES, binding = WEIR_PYRAMID_BINDING_LEVELS)
    uniform writeonly image2DArray all_levels[NUM_IMAGES * WEIR_PYRAMID_MAX_LEVELS];
#else
layout(set = WEIR_PYRAMID_SET_IMAGES, binding = WEIR_PYRAMID_BINDING_BASES)
#ifdef WORDS
    uniform utexture2DArray base;
#else
    uniform texture2DArray base;
#endif
layout(set = WEIR_PYRAMID_SET_IMAGES, binding = WEIR_PYRAMID_BINDING_LEVELS)
    uniform writeonly image2DArray levels[WEIR_PYRAMID_MAX_LEVELS];
#endif
#ifdef WORDS
layout(set = WEIR_PYRAMID_SET_IMAGES, binding = WEIR_PYRAMID_BINDING_GATHERS)
    uniform sampler gathers;
#else
layout(set = WEIR_PYRAMID_SET_IMAGES, binding = WEIR_PYRAMID_BINDING_SAMPLER)
    uniform sampler linear_clamp;
#endif

layout(push_constant) uniform Push {
#include "push.glsl"
} push;

// The layer that an invocation works on, and, in a batch, the image.
struct Slice {
    uint index; // counted over all layers of all images
#ifdef BATCH
    uint image;
#endif
    int layer;
};

Slice slice_of(uint z)
{
    Slice slice;
    slice.index = push.first_slice + z;
#ifdef BATCH
    slice.image = NUM_IMAGES > 1u ? z / push.num_layers : 0u;
    slice.layer = int(z - slice.image * push.num_layers);
#else
    slice.layer = int(z);
#endif
    return slice;
}

vec4 fetch_base(Slice slice, ivec2 position)
{
    const ivec3 at = ivec3(position, slice.layer);
#if defined(BATCH)
    const vec4 texel = texelFetch(bases[slice.image], at, 0);
#elif defined(WORDS)
    const vec4 texel = texel_of_words(texelFetch(base, at, 0).xy);
#else
    const vec4 texel = texelFetch(base, at, 0);
#endif
    return DECODE_SRGB ? vec4(decode_srgb(texel.rgb), texel.a) : texel;
}

// Four texels of the base as gathers give them: those at the lower left, the lower right, the upper
// right and the upper left.
struct Quad {
#ifdef WORDS
    uvec4 low, high; // the words of each; high has a meaning if there are two
#else
    vec4 red;
#endif
};

// Get the four texels around `position`, which is in the sampler's coordinates, 0 .. 1.
Quad gather_base(Slice slice, vec2 position)
{
    const vec3 coordinate = vec3(position, float(slice.layer));
    Quad quad;
#if defined(BATCH)
    quad.red = textureGather(sampler2DArray(bases[slice.image], linear_clamp), coordinate);
#elif defined(WORDS)
    quad.low = textureGather(usampler2DArray(base, gathers), coordinate, 0);
    quad.high = quad.low;
    if (HAS_TWO_WORDS) {
        quad.high = textureGather(usampler2DArray(base, gathers), coordinate, 1);
    }
#else
    quad.red = textureGather(sampler2DArray(base, linear_clamp), coordinate);
#endif
    return quad;
}

// Get the i-th texel of a quad, row by row.
vec4 quad_texel(Quad quad, uint i)
{
#ifdef WORDS
    return texel_of_words(uvec2(quad.low.wzxy[i], quad.high.wzxy[i]));
#else
    return vec4(quad.red.wzxy[i], 0.0, 0.0, 1.0);
#endif
}

#ifndef WORDS // which no sampler averages
// Get the average of the four texels around `position`, which is in the sampler's coordinates,
// 0 .. 1.
vec4 filter_base(Slice slice, vec2 position)
{
    const vec3 coordinate = vec3(position, float(slice.layer));
#ifdef BATCH
    return textureLod(sampler2DArray(bases[slice.image], linear_clamp), coordinate, 0.0);
#else
    return textureLod(sampler2DArray(base, linear_clamp), coordinate, 0.0);
#endif
}
#endif

// Write a texel of a level. `level` is the same for a workgroup. Indexing storage images by a
// variable is a device feature, which software devices lack; kernels that do without it have a case
// for each level.
void write_level(Slice slice, uint level, ivec2 position, vec4 texel)
{
    const ivec3 at = ivec3(position, slice.layer);
#if defined(BATCH)
    imageStore(all_levels[slice.image * WEIR_PYRAMID_MAX_LEVELS + level], at, texel);
#elif defined(INDEXED)
    imageStore(levels[level], at, texel);
#else
#define WEIR_LEVEL(i) case i: imageStore(levels[i], at, texel); break;
    switch (level) {
        WEIR_LEVEL(0) WEIR_LEVEL(1) WEIR_LEVEL(2) WEIR_LEVEL(3)
        WEIR_LEVEL(4) WEIR_LEVEL(5) WEIR_LEVEL(6) WEIR_LEVEL(7)
        WEIR_LEVEL(8) WEIR_LEVEL(9) WEIR_LEVEL(10) WEIR_LEVEL(11)
        WEIR_LEVEL(12) WEIR_LEVEL(13) WEIR_LEVEL(14) WEIR_LEVEL(15)
    }
#undef WEIR_LEVEL
#endif
}
