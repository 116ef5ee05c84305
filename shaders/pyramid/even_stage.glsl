// SPDX-License-Identifier: MIT
// Makes a tile of a first stage whose levels before the last all have even sides: 32x32 texels of
// level 1, 16x16 of level 2, and so on. There is no halo, each axis has two taps, and levels 2 and
// 3 need no shared memory.

// Get a texel to store later, or none if it lies outside its level or the stage does not make the
// level. Leave a texel of the stage's last level to the next stage.
Kept keep(Slice slice, Stage stage, uint level, uvec2 position, vec4 value)
{
    const bool is_made = level <= stage.num_levels && all(lessThan(position, size_of(level)));
    if (is_made && level == stage.num_levels) {
        hand_over(slice, stage, position, value);
    }
    return Kept(value, is_made ? level : 0u, position);
}

// Make level 2. Invocations of even columns make a texel of the upper of their two rows, those of
// odd columns one of the lower row.
vec4 make_even_level_2(vec4 values[ROWS])
{
    const bool is_lower = (invocation() & 1u) != 0u;
    const vec4 upper = reduce_pair(values[0], values[1]);
    const vec4 lower = reduce_pair(values[2], values[3]);
    return reduce_pair(is_lower ? lower : upper, shuffle_xor(is_lower ? upper : lower, 1u));
}

// Make levels 4 to 6 from the 8x8 texels of level 3 in shared memory. The first 16 invocations and
// the next 16 make the same texels. Each of the first keeps a texel of level 4, some of the others
// keep one of level 5 or 6, and 64 more those of level 3.
Kept make_even_levels_3_to_6(Slice slice, Stage stage, uvec2 tile)
{
    const uint index = invocation() - 32u;
    if (invocation() >= 32u) {
        return keep(slice, stage, index < 64u ? 3u : 7u, 8u * tile + uvec2(index & 7u, index >> 3),
                    get_shared(index & 63u));
    }
    const uvec2 local = uvec2(invocation() & 3u, invocation() >> 2 & 3u);
    const uint first = 16u * local.y + 2u * local.x;
    const vec4 level_4 = reduce_pair(reduce_pair(get_shared(first), get_shared(first + 1u)),
                                     reduce_pair(get_shared(first + 8u), get_shared(first + 9u)));
    const vec4 half_5 = reduce_pair(level_4, shuffle_xor(level_4, 1u));
    const vec4 level_5 = reduce_pair(half_5, shuffle_xor(half_5, 4u));
    const vec4 half_6 = reduce_pair(level_5, shuffle_xor(level_5, 2u));
    const vec4 level_6 = reduce_pair(half_6, shuffle_xor(half_6, 8u));
    if (invocation() < 16u) {
        return keep(slice, stage, 4u, 4u * tile + local, level_4);
    }
    if (all(equal(local & 1u, uvec2(0u)))) {
        return keep(slice, stage, 5u, 2u * tile + (local >> 1), level_5);
    }
    return keep(slice, stage, local == uvec2(1u, 0u) ? 6u : 7u, tile, level_6);
}

// Make a tile, and hand it over before all its levels are stored.
void make_even_tile(Slice slice, Stage stage, uvec2 tile)
{
    const uvec2 position = TILE * tile + uvec2(column_of(invocation()), row_of(invocation()));
    vec4 values[ROWS];
    make_level_1(slice, position, size_of(1u), values);
    vec4 value = make_even_level_2(values);
    const Kept square = keep(slice, stage, 2u, SQUARE * tile + square_place(), value);
    store_kept(slice, square, 2u, 1u);
    value = reduce_pair(value, shuffle_xor(value, 1u));
    value = reduce_pair(value, shuffle_xor(value, 2u));
    if ((invocation() & 3u) == 0u) {
        put_shared(invocation() >> 2, value);
    }
    barrier();
    const Kept kept = make_even_levels_3_to_6(slice, stage, tile);
    Arrival arrival;
    arrival.num_below = 0u;
    if (courier_of() == 0u) {
        arrival = plan_arrival(slice, 0u, tile);
    }
    arrive(arrival, 0u);
    store_kept(slice, kept, 3u, 4u);
    meet();
}
