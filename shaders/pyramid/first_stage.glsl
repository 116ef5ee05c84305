// SPDX-License-Identifier: MIT
// Makes level 1 of a tile of the first stage from the base.

layout(constant_id = WEIR_PYRAMID_CONSTANT_EVEN_BASE) const bool EVEN_BASE = false;

vec4 load_value(Slice slice, ivec2 position)
{
    return load(slice, min(position, ivec2(push.size) - 1)).value;
}

// Reduce in y the texels of a column of the base that lie under texel `row` of level 1. `above` is
// the column's texel at `first`; it becomes the one that the call for the next row takes.
vec4 reduce_column(Slice slice, ivec2 first, float row, inout vec4 above)
{
    const vec4 middle = load_value(slice, first + ivec2(0, 1));
    const vec4 below = load_value(slice, first + ivec2(0, 2));
    const vec4 value = weir_reduce(above, middle,
                                   FINITE || num_taps(push.size).y == 3u ? below : middle,
                                   tap_weights(push.size.y, row));
    above = below;
    return value;
}

// Get the third column under an invocation's texel, reduced in y, for an odd size. It is the first
// column of the neighbour at the right. The last invocation of a row has no such neighbour, but
// tiles of an odd base do not use the texels that it makes.
vec4 third_column(Slice slice, ivec2 first, float row, vec4 left, inout vec4 above)
{
#ifdef SHUFFLE
    if (SHUFFLES) {
        return subgroupShuffle(left, (gl_SubgroupInvocationID + 1u) % SUBGROUP_SIZE);
    }
#endif
    return reduce_column(slice, first + ivec2(2, 0), row, above);
}

// Store a texel of level 1, unless another tile stores it. Called as soon as the texel is made:
// encoding it then fills the time that the fetches of the next texel take.
void store_level_1(Slice slice, uvec2 position, uvec2 end, vec4 value)
{
    if (all(lessThan(position, end))) {
        store(slice, 1u, ivec2(position), value);
    }
}

void fetch_odd_level_1(Slice slice, uvec2 position, uvec2 end, out vec4 values[ROWS])
{
    const uint taps = num_taps(push.size).x;
    const vec3 weights = tap_weights(push.size.x, float(position.x));
    const ivec2 origin = ivec2(2u * position);
    vec4 above[3];
    above[0] = load_value(slice, origin);
    above[1] = load_value(slice, origin + ivec2(1, 0));
    above[2] = SHUFFLES ? vec4(0.0) : load_value(slice, origin + ivec2(2, 0));
    [[unroll]] for (uint k = 0u; k < ROWS; k++) {
        const ivec2 first = origin + ivec2(0, 2u * k);
        const float row = float(position.y) + float(k);
        const vec4 a = reduce_column(slice, first, row, above[0]);
        const vec4 b = reduce_column(slice, first + ivec2(1, 0), row, above[1]);
        const vec4 c = third_column(slice, first, row, a, above[2]);
        values[k] = weir_reduce(a, b, FINITE || taps == 3u ? c : b, weights);
        store_level_1(slice, position + uvec2(0u, k), end, values[k]);
    }
}

void fetch_even_level_1(Slice slice, uvec2 position, uvec2 end, out vec4 values[ROWS])
{
    [[unroll]] for (uint k = 0u; k < ROWS; k++) {
        const ivec2 first = ivec2(2u * position) + ivec2(0, 2u * k);
        const vec4 upper = reduce_pair(load_value(slice, first),
                                       load_value(slice, first + ivec2(1, 0)));
        const vec4 lower = reduce_pair(load_value(slice, first + ivec2(0, 1)),
                                       load_value(slice, first + 1));
        values[k] = reduce_pair(upper, lower);
        store_level_1(slice, position + uvec2(0u, k), end, values[k]);
    }
}

// Make the four texels of level 1 of an invocation, and store those before `end`. Texels outside
// the image may have any value. A pipeline is FILTERED only if the sampler may average its bases.
void make_level_1(Slice slice, uvec2 position, uvec2 end, out vec4 values[ROWS])
{
    if (FILTERED) {
        [[unroll]] for (uint k = 0u; k < ROWS; k++) {
            values[k] = reduce_filtered(slice, position + uvec2(0u, k));
            store_level_1(slice, position + uvec2(0u, k), end, values[k]);
        }
    } else if (IS_WEIGHTED) {
        [[unroll]] for (uint k = 0u; k < ROWS; k++) {
            values[k] = reduce_fetched(slice, min(position + uvec2(0u, k), size_of(1u) - 1u));
            store_level_1(slice, position + uvec2(0u, k), end, values[k]);
        }
    } else if (EVEN_BASE) {
        fetch_even_level_1(slice, position, end, values);
    } else {
        fetch_odd_level_1(slice, position, end, values);
    }
}
