// SPDX-License-Identifier: MIT
// What every pyramid kernel is bound to: src/pyramid/bindings.c.
//
// A dispatch reads one level, `base`, and writes levels after it. Levels are counted from the base:
// levels[1] is half of it. levels[0], as large as the base, is written by kernels that copy only.
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_samplerless_texture_functions : require
#extension GL_EXT_shader_image_load_formatted : require

layout(constant_id = 0) const uint REDUCTION = 0u;       // enum weir_pyramid_reduction
layout(constant_id = 1) const bool STORE_SRGB = false;   // encode colour before a store
layout(constant_id = 2) const bool FIRST = false;        // the base is the pyramid's input
layout(constant_id = 3) const bool ONE_CHANNEL = false;  // the base has no G
layout(constant_id = 4) const bool FILTERED = false;     // the sampler may average pairs of base texels
layout(constant_id = 5) const bool BOUNDED = false;      // texels are floats: rounding must not leave the range of taps
layout(constant_id = 6) const uint NUM_IMAGES = 1u;      // of a batch: arrays below

const uint MAX_LEVELS = 16u;

#ifdef BATCH
layout(set = 0, binding = 0) uniform texture2DArray bases[NUM_IMAGES];
layout(set = 0, binding = 1) uniform writeonly image2DArray all_levels[NUM_IMAGES * MAX_LEVELS];
#else
layout(set = 0, binding = 0) uniform texture2DArray base;
layout(set = 0, binding = 1) uniform writeonly image2DArray levels[MAX_LEVELS];
#endif
layout(set = 0, binding = 2) uniform sampler linear_clamp;

layout(push_constant) uniform Push {
    uvec2 size;       // of the base [texels]
    uint num_levels;  // written after the base
    uint num_layers;  // of each image
    vec4 user;
    uvec4 stages[5];  // of the one-dispatch kernel: shaders/pyramid/stage.glsl
    uint slice_texels, slice_counters; // of its scratch, a layer
    uint flags;       // below
    uint first_slice; // of the dispatch, counted over all layers of all images
} push;

const uint COPIES = 1u;  // levels[0] is written too
const uint FILTERS = 2u; // the sampler may average texels of this base: FILTERED

// The layer of an image that an invocation works on, and for a batch the image.
struct Slice {
    uint index; // over all layers of all images
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
#ifdef BATCH
    return texelFetch(bases[slice.image], ivec3(position, slice.layer), 0);
#else
    return texelFetch(base, ivec3(position, slice.layer), 0);
#endif
}

// Averages the four texels around `position`, in coordinates of the sampler: 0 .. 1.
vec4 filter_base(Slice slice, vec2 position)
{
    const vec3 coordinate = vec3(position, float(slice.layer));
#ifdef BATCH
    return textureLod(sampler2DArray(bases[slice.image], linear_clamp), coordinate, 0.0);
#else
    return textureLod(sampler2DArray(base, linear_clamp), coordinate, 0.0);
#endif
}

// `level` is the same for a workgroup. Kernels that cannot rely on indexing storage images by a variable, which is
// a device feature that software devices lack, have a case for each.
void write_level(Slice slice, uint level, ivec2 position, vec4 texel)
{
    const ivec3 at = ivec3(position, slice.layer);
#if defined(BATCH)
    imageStore(all_levels[slice.image * MAX_LEVELS + level], at, texel);
#elif defined(INDEXED)
    imageStore(levels[level], at, texel);
#else
#define WEIR_LEVEL(i) case i: imageStore(levels[i], at, texel); break;
    switch (level) {
    WEIR_LEVEL(0) WEIR_LEVEL(1) WEIR_LEVEL(2) WEIR_LEVEL(3) WEIR_LEVEL(4) WEIR_LEVEL(5) WEIR_LEVEL(6)
    WEIR_LEVEL(7) WEIR_LEVEL(8) WEIR_LEVEL(9) WEIR_LEVEL(10) WEIR_LEVEL(11) WEIR_LEVEL(12)
    WEIR_LEVEL(13) WEIR_LEVEL(14) WEIR_LEVEL(15)
    }
#undef WEIR_LEVEL
#endif
}
