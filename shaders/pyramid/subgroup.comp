// SPDX-License-Identifier: MIT
// Makes 1 to 5 levels of a base whose sides divide by 2 once for each level, by square subgroups:
// up to 32x32 texels become one.
//
// A subgroup's texels are as square as they can be, row by row: 4 are 2x2, 8 are 4x2, 16 are 4x4,
// 32 are 8x4, 64 are 8x8, 128 are 16x8. A shuffle makes one texel of two side by side, a second
// shuffle one of two that lie one above the other. A subgroup that is twice as wide as high ends
// with a shuffle of the first kind. The reductions that are left go through shared memory.
//
// An invocation makes a texel of level 1, a workgroup of 256 invocations 16x16. z is the layer.
// Shared memory: 320 bytes, or 1,344 if subgroups have less than 16 invocations. Requires
// shaderStorageImageWriteWithoutFormat, shuffles, and full subgroups of SUBGROUP_SIZE. Defined by
// tests/ref/pyramid.c.
//
// NO_SUBGROUPS: all goes through 5,440 bytes of shared memory.
//
// The method: "Mipmap", three strategies (stripe2933), "Compute with subgroup shuffle"; one source
// for all sizes of subgroups.

#include "pyramid/interface.glsl"
#include "pyramid/reduction.glsl"
#include "pyramid/taps.glsl"
#include "pyramid/base.glsl"
#include "pyramid/even.glsl"

void main()
{
    const Slice slice = slice_of(gl_WorkGroupID.z);
    const uint index = invocation_index();
    const uint size_log2 = uint(findMSB(SUBGROUP_SIZE));
    const uvec2 extent = uvec2(1u << (size_log2 + 1u) / 2u, 1u << size_log2 / 2u);
    const uint lane = index % SUBGROUP_SIZE;
    const uint subgroup = index / SUBGROUP_SIZE;
    const uint num_in_row = WEIR_PYRAMID_EVEN_SIDE / extent.x;
    const uvec2 local = extent * uvec2(subgroup % num_in_row, subgroup / num_in_row) +
                        uvec2(lane % extent.x, lane / extent.x);
    const uvec2 position = WEIR_PYRAMID_EVEN_SIDE * gl_WorkGroupID.xy + local;
    Held held = hold(vec4(0.0), to_morton(local));
    if (is_inside(1u, position)) {
        held.value = reduce_even(slice, position);
        store(slice, 1u, ivec2(position), held.value);
    }
    for (uint level = 2u; level <= push.num_levels; level++) {
        const uint stride = 1u << (level - 2u); // distance of holders on either axis [texels]
        if (2u * stride <= extent.x) {
            held.value = reduce_pair(held.value, shuffle_xor(held.value, stride));
        }
        if (2u * stride <= extent.y) {
            held.value = reduce_pair(held.value, shuffle_xor(held.value, extent.x * stride));
            keep_first_of_four(held);
        } else {
            exchange(held, index, 2u * stride <= extent.x);
        }
        store_held(slice, level, 8u / stride, held);
    }
}
