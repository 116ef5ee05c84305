// SPDX-License-Identifier: MIT
// Code that fast.comp and subgroup.comp share, for levels whose sides are even.
//
// A workgroup of 256 invocations starts with 16x16 texels, one each. Four neighbours become one,
// level after level: by shuffles as far as a subgroup reaches, and then through shared memory.
// Texels are counted in Morton order, so that the four that become one follow each other.
//
// Without NO_SUBGROUPS, subgroups must be full and of SUBGROUP_SIZE invocations.

layout(local_size_x = WEIR_PYRAMID_EVEN_SIDE * WEIR_PYRAMID_EVEN_SIDE) in;

#ifdef NO_SUBGROUPS
const uint SUBGROUP_SIZE = 1u;
const uint NUM_SHARED = 256u + 64u + 16u + 4u;

uint invocation_index()
{
    return gl_LocalInvocationIndex;
}

// Return the value itself: a subgroup of one invocation has nothing to exchange.
vec4 shuffle_xor(vec4 value, uint mask)
{
    return value;
}
#else
#include "pyramid/shuffles.glsl"
// 4 .. 128
layout(constant_id = WEIR_PYRAMID_CONSTANT_SUBGROUP_SIZE) const uint SUBGROUP_SIZE = 32u;
const uint NUM_SHARED = SUBGROUP_SIZE < 16u ? 64u + 16u + 4u : 16u + 4u;

// gl_LocalInvocationIndex may run through a subgroup in another order.
uint invocation_index()
{
    return gl_SubgroupID * SUBGROUP_SIZE + gl_SubgroupInvocationID;
}
#endif

#include "pyramid/shared_texels.glsl"

uvec2 from_morton(uint index)
{
    uvec2 v = uvec2(index, index >> 1) & 0x55u;
    v = (v | v >> 1) & 0x33u;
    return (v | v >> 2) & 0x0fu;
}

uint to_morton(uvec2 position)
{
    uvec2 v = (position | position << 2) & 0x33u;
    v = (v | v << 1) & 0x55u;
    return v.x | v.y << 1;
}

// The texels of one level that this workgroup holds, and the one that this invocation holds.
struct Held {
    vec4 value;
    bool is_holder; // false: `value` has no meaning, or another invocation holds the same texel
    uint rank;      // number of the texel in Morton order
    uint num;       // number of texels in the workgroup
    uint start;     // start of free shared memory
};

Held hold(vec4 value, uint rank)
{
    return Held(value, true, rank, 256u, 0u);
}

// Do what reduce_base() does, where both sides are even.
vec4 reduce_even(Slice slice, uvec2 position)
{
    if (FILTERED) {
        return filter_base(slice, vec2(2u * position + 1u) / vec2(push.size));
    }
    const ivec2 first = ivec2(2u * position);
    if (GATHERED) {
        return reduce_quad(gather(slice, first));
    }
    const Sum above = load_row(slice, first, 2u, vec3(0.0));
    const Sum below = load_row(slice, first + ivec2(0, 1), 2u, vec3(0.0));
    return join(above, below, below, 2u, vec3(0.0)).value;
}

vec4 reduce_four(vec4 a, vec4 b, vec4 c, vec4 d)
{
    return reduce_pair(reduce_pair(a, b), reduce_pair(c, d));
}

// Update `held` after shuffles have made one texel of four: the first of their holders keeps it.
void keep_first_of_four(inout Held held)
{
    held.is_holder = held.is_holder && (held.rank & 3u) == 0u;
    held.rank >>= 2;
    held.num /= 4u;
}

// Reduce four texels to one through shared memory, or two to one if pairs side by side have become
// one already (`is_halved`). The first invocations hold the results.
void exchange(inout Held held, uint index, bool is_halved)
{
    const uint num_stored = is_halved ? held.num / 2u : held.num;
    if (held.is_holder && !(is_halved && (held.rank & 1u) != 0u)) {
        put_shared(held.start + (is_halved ? held.rank >> 1 : held.rank), held.value);
    }
    barrier();
    held.num /= 4u;
    held.rank = index;
    held.is_holder = index < held.num;
    if (held.is_holder) {
        if (is_halved) {
            const uint first = held.start + 2u * index;
            held.value = reduce_pair(get_shared(first), get_shared(first + 1u));
        } else {
            const uint first = held.start + 4u * index;
            held.value = reduce_four(get_shared(first), get_shared(first + 1u),
                                     get_shared(first + 2u), get_shared(first + 3u));
        }
    }
    held.start += num_stored;
}

// Return true if a texel lies in the image. Texels outside it are never stored, and never join
// texels inside it, because the sides of the base divide by 2 once for each level.
bool is_inside(uint level, uvec2 position)
{
    return all(lessThan(position, push.size >> level));
}

// Store the texel that this invocation holds. `side` is that of the workgroup's tile in this level.
void store_held(Slice slice, uint level, uint side, Held held)
{
    const uvec2 position = side * gl_WorkGroupID.xy + from_morton(held.rank);
    if (held.is_holder && is_inside(level, position)) {
        store(slice, level, ivec2(position), held.value);
    }
}
