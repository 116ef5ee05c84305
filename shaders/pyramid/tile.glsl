// SPDX-License-Identifier: MIT
// What the invocations of the one-dispatch kernel share: their order, shared memory, the taps of a level.
//
// Shared memory begins with a square of 16x16 texels: level 2 of a tile of the first stage, level 1 of one of
// a later stage. The levels after it follow, each a quarter.

const uint GROUP_SIZE = 256u;
layout(local_size_x = 256) in;

const uint SQUARE = 16u;

#ifdef SHUFFLE
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
layout(constant_id = 7) const uint SUBGROUP_SIZE = 1u; // of full subgroups; 0, 1: not known
const bool SHUFFLES = SUBGROUP_SIZE >= 32u;

uint invocation()
{
    return SUBGROUP_SIZE > 1u ? gl_SubgroupID * SUBGROUP_SIZE + gl_SubgroupInvocationID : gl_LocalInvocationIndex;
}
#else
const bool SHUFFLES = false;
const bool EVEN_STAGE = false; // even_stage.glsl
uint invocation()
{
    return gl_LocalInvocationIndex;
}
#endif

// Also what invocations exchange before there is a square: 512 texels where they cannot shuffle.
shared vec4 square[SHUFFLES ? 341 : 512];

// The side of the k-th level after the square, and where it lies: 256 + 64 + ... is a geometric series.
uint side_of(uint k)
{
    return SQUARE >> k;
}

uint part_of(uint k)
{
    return (1024u - 4u * side_of(k) * side_of(k)) / 3u;
}

// The taps of an axis.
vec4 reduce_taps(vec4 a, vec4 b, vec4 c, uint taps, vec3 weights)
{
    return taps == 1u ? a : taps == 2u ? reduce_pair(a, b) : weir_reduce(a, b, c, weights);
}

// The taps of an axis where those that are none repeat one that is. Every reduction of Weir's gives a texel where it
// is taken three times; kernels of a user's are promised that they are not asked.
vec4 reduce_repeated(vec4 a, vec4 b, vec4 c, uint taps, vec3 weights)
{
#ifdef WEIR_CUSTOM
    if (taps == 1u) {
        return a;
    }
#endif
    return weir_reduce(a, b, c, weights);
}

// A texel of a level in `square`, from up to nine of the level before it: of `size` texels, those of the tile in
// rows of `pitch` from `first` on. Taps that are none repeat one that is.
vec4 reduce_square(uint first, uint pitch, uvec2 size, uvec2 position)
{
    if (all(equal(size & 1u, uvec2(0u)))) {
        return reduce_pair(reduce_pair(square[first], square[first + 1u]),
                           reduce_pair(square[first + pitch], square[first + pitch + 1u]));
    }
    const uvec2 taps = num_taps(size);
    const uint second = first + min(taps.x, 2u) - 1u;
    const uint third = first + taps.x - 1u;
    const vec3 weights = tap_weights(size.x, position.x);
    const uint middle = (min(taps.y, 2u) - 1u) * pitch;
    const uint last = (taps.y - 1u) * pitch;
    const vec4 a = reduce_repeated(square[first], square[second], square[third], taps.x, weights);
    const vec4 b = reduce_repeated(square[first + middle], square[second + middle], square[third + middle], taps.x,
                                   weights);
    const vec4 c = reduce_repeated(square[first + last], square[second + last], square[third + last], taps.x, weights);
    return reduce_repeated(a, b, c, taps.y, tap_weights(size.y, position.y));
}
