// SPDX-License-Identifier: MIT
// One texel of a level from the 1, 2 or 3 texels an axis under it that a kernel has stored in memory.

vec4 reduce_taps(vec4 a, vec4 b, vec4 c, uint taps, vec3 weights)
{
    return taps == 1u ? a : taps == 2u ? reduce_pair(a, b) : weir_reduce(a, b, c, weights);
}

#define WEIR_REDUCE_ROW(texel, index)                                                              \
    reduce_taps(texel(index), texel(index + min(taps.x - 1u, 1u)), texel(index + taps.x - 1u), taps.x, x)

// vec4 name(uint index, uint width, uvec2 size, uvec2 position): the first tap is texel(index), rows are
// `width` apart; `size` is that of the level that the taps are of, `position` where the result goes.
#define WEIR_REDUCE_STORED(name, texel)                                                            \
    vec4 name(uint index, uint width, uvec2 size, uvec2 position)                                  \
    {                                                                                              \
        const uvec2 taps = num_taps(size);                                                         \
        const vec3 x = odd_weights(size.x, position.x);                                            \
        const vec3 y = odd_weights(size.y, position.y);                                            \
        const vec4 a = WEIR_REDUCE_ROW(texel, index);                                              \
        if (taps.y == 1u) {                                                                        \
            return a;                                                                              \
        }                                                                                          \
        const vec4 b = WEIR_REDUCE_ROW(texel, index + width);                                      \
        if (taps.y == 2u) {                                                                        \
            return reduce_pair(a, b);                                                              \
        }                                                                                          \
        return weir_reduce(a, b, WEIR_REDUCE_ROW(texel, index + 2u * width), y);                   \
    }
