// SPDX-License-Identifier: MIT
// Makes two levels from a level of any size.
//
// A workgroup of 128 invocations makes a tile of 8x8 texels of level 2. z is the layer. It first
// makes the texels of level 1 under the tile, up to 17x17, in shared memory: 4,624 bytes. At an odd
// size both of two neighbours make the texels between them, and the one at the right or below
// stores them. Requires shaderStorageImageWriteWithoutFormat. The method: NVIDIA, nvpro_pyramid,
// 2021, "General Pipeline". Defined by tests/ref/pyramid.c.

layout(local_size_x = 128) in;

#include "pyramid/interface.glsl"
#include "pyramid/reduction.glsl"
#include "pyramid/taps.glsl"
#include "pyramid/base.glsl"

const uint TILE = WEIR_PYRAMID_GENERAL_SIDE;
const uint MAX_SIDE = 2u * TILE + 1u;
const uint NUM_SHARED = MAX_SIDE * MAX_SIDE;
#include "pyramid/shared_texels.glsl"

vec4 reduce_row(uint first, uint taps, vec3 weights)
{
    const vec4 a = get_shared(first);
    if (taps == 1u) {
        return a;
    }
    const vec4 b = get_shared(first + 1u);
    return taps == 2u ? reduce_pair(a, b) : weir_reduce(a, b, get_shared(first + 2u), weights);
}

// Get a texel of level 2 from rows of level 1 that are `pitch` texels apart.
vec4 reduce_shared(uint first, uint pitch, uvec2 size, uvec2 position)
{
    const uvec2 taps = num_taps(size);
    const vec3 weights = odd_weights(size.x, position.x);
    const vec4 a = reduce_row(first, taps.x, weights);
    if (taps.y == 1u) {
        return a;
    }
    const vec4 b = reduce_row(first + pitch, taps.x, weights);
    if (taps.y == 2u) {
        return reduce_pair(a, b);
    }
    const vec4 c = reduce_row(first + 2u * pitch, taps.x, weights);
    return weir_reduce(a, b, c, odd_weights(size.y, position.y));
}

void main()
{
    const Slice slice = slice_of(gl_WorkGroupID.z);
    const uvec2 upper_size = max(push.size >> 2, 1u);
    const uvec2 upper_origin = TILE * gl_WorkGroupID.xy;
    const uvec2 upper_count = min(upper_size - upper_origin, TILE);
    const uvec2 lower_size = max(push.size >> 1, 1u);
    const uvec2 lower_origin = 2u * upper_origin;
    const uvec2 lower_count = 2u * upper_count + num_taps(lower_size) - 2u;
    const uvec2 owned = mix(2u * upper_count, lower_count,
                            equal(upper_origin + upper_count, upper_size));
    const uint inverse = (1u << 20) / lower_count.x + 1u; // i / lower_count.x is i * inverse >> 20
    for (uint i = gl_LocalInvocationIndex; i < lower_count.x * lower_count.y;
         i += gl_WorkGroupSize.x) {
        const uint row = i * inverse >> 20;
        const uvec2 local = uvec2(i - row * lower_count.x, row);
        const vec4 value = reduce_base(slice, lower_origin + local);
        put_shared(i, value);
        if (all(lessThan(local, owned))) {
            store(slice, 1u, ivec2(lower_origin + local), value);
        }
    }
    barrier();
    const uvec2 local = uvec2(gl_LocalInvocationIndex % TILE, gl_LocalInvocationIndex / TILE);
    if (all(lessThan(local, upper_count))) {
        const uvec2 position = upper_origin + local;
        const uint first = 2u * (local.y * lower_count.x + local.x);
        store(slice, 2u, ivec2(position),
              reduce_shared(first, lower_count.x, lower_size, position));
    }
}
