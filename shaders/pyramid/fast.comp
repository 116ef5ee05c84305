// SPDX-License-Identifier: MIT
// Makes 1 to 6 levels of a base whose sides divide by 2 once for each level, by shuffles.
//
// A team of 4^(M-1) invocations in Morton order makes M levels of a tile of 2^M x 2^M texels. 2x2
// texels of the base become one by a tap of the sampler or by four fetches. Then the first of four
// invocations collects the texels of the others, those at xor 1, 2 and 3; next the first of sixteen
// collects those at xor 4, 8 and 12; and so on as far as a subgroup reaches. From there texels go
// through shared memory, and the first invocations carry on in the same way. If there are 6 levels,
// an invocation first makes four texels of level 1, and five levels are left.
//
// A workgroup is 256 invocations. z is the layer. Shared memory: 320 bytes, or 1,344 if subgroups
// have less than 16 invocations. Requires shaderStorageImageWriteWithoutFormat, shuffles, and full
// subgroups of SUBGROUP_SIZE. Defined by tests/ref/pyramid.c.
//
// NO_SUBGROUPS: all goes through 5,440 bytes of shared memory.
//
// The method: NVIDIA, nvpro_pyramid, 2021, "Fast Pipeline".

#include "pyramid/interface.glsl"
#include "pyramid/reduction.glsl"
#include "pyramid/taps.glsl"
#include "pyramid/base.glsl"
#include "pyramid/even.glsl"

// Get the invocation's texel of the level that the tile starts with. If that is level 2, make and
// store the four texels of level 1 under it.
vec4 first_texel(Slice slice, uint level, uvec2 position)
{
    if (level == 1u) {
        return reduce_even(slice, position);
    }
    vec4 quad[4];
    for (uint i = 0u; i < 4u; i++) {
        const uvec2 child = 2u * position + uvec2(i & 1u, i >> 1);
        quad[i] = reduce_even(slice, child);
        store(slice, 1u, ivec2(child), quad[i]);
    }
    return reduce_four(quad[0], quad[1], quad[2], quad[3]);
}

void main()
{
    const Slice slice = slice_of(gl_WorkGroupID.z);
    const uint index = invocation_index();
    uint level = push.num_levels == WEIR_PYRAMID_FAST_LEVELS ? 2u : 1u;
    const uvec2 position = WEIR_PYRAMID_EVEN_SIDE * gl_WorkGroupID.xy + from_morton(index);
    Held held = hold(vec4(0.0), index);
    if (is_inside(level, position)) {
        held.value = first_texel(slice, level, position);
        store(slice, level, ivec2(position), held.value);
    }
    uint stride = 1u; // distance of holders [invocations]
    for (uint side = 8u; side > 0u && level < push.num_levels; side /= 2u) {
        if (4u * stride <= SUBGROUP_SIZE) {
            held.value = reduce_four(held.value, shuffle_xor(held.value, stride),
                                     shuffle_xor(held.value, 2u * stride),
                                     shuffle_xor(held.value, 3u * stride));
            keep_first_of_four(held);
            stride *= 4u;
        } else {
            exchange(held, index, false);
            stride = 1u;
        }
        level++;
        store_held(slice, level, side, held);
    }
}
