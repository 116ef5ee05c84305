// SPDX-License-Identifier: MIT
// The order of the invocations of the one-dispatch kernel, their shared memory, and the taps of a
// level in it.
//
// Shared memory begins with the square of a tile, 16x16 texels: level 2 of a tile of the first
// stage, or level 1 of a tile of a later stage. A round of a later stage has up to four tiles, its
// slots: their squares are made one after the other, the levels after them together. These levels
// follow the square in memory, each a quarter of the one before.

const uint SQUARE = WEIR_PYRAMID_LATER_SIDE;
const uint GROUP_SIZE = SQUARE * SQUARE;
layout(local_size_x = GROUP_SIZE) in;

const uint MAX_AFTER = WEIR_PYRAMID_LATER_LEVELS - 1u; // levels after the square
const uint NUM_AFTER = 85u; // texels of these levels: 64 + 16 + 4 + 1
// Tiles of a round, at most 4.
layout(constant_id = WEIR_PYRAMID_CONSTANT_MAX_ROUND) const uint MAX_ROUND = 4u;
// True if all levels but the last have even sides, so that no two tiles share their input.
const bool EVEN_CHAIN = MAX_ROUND == 1u;

#ifdef SHUFFLE
#include "shuffles.glsl"
// 0 or 1: not known
layout(constant_id = WEIR_PYRAMID_CONSTANT_SUBGROUP_SIZE) const uint SUBGROUP_SIZE = 1u;
const bool SHUFFLES = SUBGROUP_SIZE >= WEIR_PYRAMID_SHUFFLE_SIZE;
layout(constant_id = WEIR_PYRAMID_CONSTANT_EVEN_STAGE) const bool EVEN_STAGE = false;

uint invocation()
{
    return SUBGROUP_SIZE > 1u ? gl_SubgroupID * SUBGROUP_SIZE + gl_SubgroupInvocationID
                              : gl_LocalInvocationIndex;
}
#else
const bool SHUFFLES = false;
const bool EVEN_STAGE = false; // even_stage.glsl needs shuffles
uint invocation()
{
    return gl_LocalInvocationIndex;
}
#endif

// The square and the levels after it. Before they are made, invocations that cannot shuffle
// exchange 512 texels here.
const uint NUM_SHARED = SQUARE * SQUARE + MAX_ROUND * NUM_AFTER;
#include "shared_texels.glsl"

// Get the place in shared memory of the k-th level after the square of a tile; the 0-th is the
// square itself. The sum 64 + 16 + ... of the levels before is a geometric series.
uint place_of(uint slot, uint k)
{
    return k == 0u ? 0u : SQUARE * SQUARE + slot * NUM_AFTER + (256u - (1024u >> 2u * k)) / 3u;
}

// Reduce the taps of an axis.
vec4 reduce_taps(vec4 a, vec4 b, vec4 c, uint taps, vec3 weights)
{
    return taps == 1u ? a : taps == 2u ? reduce_pair(a, b) : weir_reduce(a, b, c, weights);
}

// Reduce the taps of an axis, where a tap that does not exist repeats one that does. Weir's own
// reductions get a texel again from three times the same. Kernels of a user's are promised no call
// for an axis of one texel.
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

// Store a kept texel, if it belongs to one of `num` levels from `first` on.
void store_kept(Slice slice, Kept kept, uint first, uint num)
{
    const vec4 texel = texel_of(kept.value);
    [[dont_unroll]] for (uint level = first; level < first + num; level++) {
        if (kept.level == level) {
            write_level(slice, level, ivec2(kept.position), texel);
        }
    }
}

// The texels of one level that a tile holds, and the size of the level before.
struct Part {
    Span span;
    uvec2 size;
    vec2 scale; // 1 / size
};

// Get a texel from up to nine of the level before, which lie in shared memory from `first` on, in
// rows that are `pitch` texels apart. A tap that does not exist repeats one that does.
vec4 reduce_square(uint first, uint pitch, Part part, uvec2 position)
{
    const uvec2 taps = num_taps(part.size);
    if (EVEN_CHAIN || (BOUNDED && all(equal(taps, uvec2(2u))))) { // pairs need no bounds
        return reduce_pair(reduce_pair(get_shared(first), get_shared(first + 1u)),
                           reduce_pair(get_shared(first + pitch), get_shared(first + pitch + 1u)));
    }
    const uint second = first + min(taps.x, 2u) - 1u;
    const uint third = first + taps.x - 1u;
    const vec3 weights = tap_weights(part.size.x, part.scale.x, float(position.x));
    const uint middle = (min(taps.y, 2u) - 1u) * pitch;
    const uint last = (taps.y - 1u) * pitch;
    const vec4 a = reduce_repeated(get_shared(first), get_shared(second), get_shared(third),
                                   taps.x, weights);
    const vec4 b = reduce_repeated(get_shared(first + middle), get_shared(second + middle),
                                   get_shared(third + middle), taps.x, weights);
    const vec4 c = reduce_repeated(get_shared(first + last), get_shared(second + last),
                                   get_shared(third + last), taps.x, weights);
    return reduce_repeated(a, b, c, taps.y,
                           tap_weights(part.size.y, part.scale.y, float(position.y)));
}
