// SPDX-License-Identifier: MIT
// What the invocations of the one-dispatch kernel share: their order, shared memory, the taps of a
// level.
//
// Shared memory begins with the square of a tile, 16x16 texels: level 2 of a tile of the first
// stage, level 1 of one of a later stage. A round of a later stage has up to four tiles, its slots:
// their squares are made one after the other, the levels after them together. Those follow the
// square, each a quarter of the one before.

const uint SQUARE = WEIR_PYRAMID_LATER_SIDE;
const uint GROUP_SIZE = SQUARE * SQUARE;
layout(local_size_x = GROUP_SIZE) in;

const uint MAX_AFTER = WEIR_PYRAMID_LATER_LEVELS - 1u; // levels after the square
const uint NUM_AFTER = 85u; // their texels: 64 + 16 + 4 + 1
const uint MAX_ROUND = 4u;  // tiles

#ifdef SHUFFLE
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
// 0, 1: not known
layout(constant_id = WEIR_PYRAMID_CONSTANT_SUBGROUP_SIZE) const uint SUBGROUP_SIZE = 1u;
const bool SHUFFLES = SUBGROUP_SIZE >= WEIR_PYRAMID_SHUFFLE_SIZE;

uint invocation()
{
    return SUBGROUP_SIZE > 1u ? gl_SubgroupID * SUBGROUP_SIZE + gl_SubgroupInvocationID
                              : gl_LocalInvocationIndex;
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
shared vec4 square[SQUARE * SQUARE + MAX_ROUND * NUM_AFTER];

// Where the k-th level after the square of a tile lies; the 0-th is the square. 64 + 16 + ... is a
// geometric series.
uint place_of(uint slot, uint k)
{
    return k == 0u ? 0u : SQUARE * SQUARE + slot * NUM_AFTER + (256u - (1024u >> 2u * k)) / 3u;
}

// The taps of an axis.
vec4 reduce_taps(vec4 a, vec4 b, vec4 c, uint taps, vec3 weights)
{
    return taps == 1u ? a : taps == 2u ? reduce_pair(a, b) : weir_reduce(a, b, c, weights);
}

// The taps of an axis where those that are none repeat one that is. Every reduction of Weir's gives
// a texel where it is taken three times; kernels of a user's are promised that they are not asked.
vec4 reduce_repeated(vec4 a, vec4 b, vec4 c, uint taps, vec3 weights)
{
#ifdef WEIR_CUSTOM
    if (taps == 1u) {
        return a;
    }
#endif
    return weir_reduce(a, b, c, weights);
}

// A texel that an invocation has made and not yet stored. Level 0: none.
struct Kept {
    vec4 value;
    uint level;
    uvec2 position;
};

// Stores what is of one of `num` levels from `first` on.
void store_kept(Slice slice, Kept kept, uint first, uint num)
{
    const vec4 texel = texel_of(kept.value);
    [[dont_unroll]] for (uint level = first; level < first + num; level++) {
        if (kept.level == level) {
            write_level(slice, level, ivec2(kept.position), texel);
        }
    }
}

// What a tile has of a level, and the size of the level before.
struct Part {
    Span span;
    uvec2 size;
    vec2 scale; // 1 / size
};

// A texel from up to nine of the level before: of those of the tile, in rows of `pitch`, from
// `first` on. Taps that are none repeat one that is.
vec4 reduce_square(uint first, uint pitch, Part part, uvec2 position)
{
    const uvec2 taps = num_taps(part.size);
    const uint second = first + min(taps.x, 2u) - 1u;
    const uint third = first + taps.x - 1u;
    const vec3 weights = tap_weights(part.size.x, part.scale.x, float(position.x));
    const uint middle = (min(taps.y, 2u) - 1u) * pitch;
    const uint last = (taps.y - 1u) * pitch;
    const vec4 a = reduce_repeated(square[first], square[second], square[third], taps.x, weights);
    const vec4 b = reduce_repeated(square[first + middle], square[second + middle],
                                   square[third + middle], taps.x, weights);
    const vec4 c = reduce_repeated(square[first + last], square[second + last],
                                   square[third + last], taps.x, weights);
    return reduce_repeated(a, b, c, taps.y,
                           tap_weights(part.size.y, part.scale.y, float(position.y)));
}
