// SPDX-License-Identifier: MIT
// Makes the whole chain of any size in one dispatch.
//
// A workgroup makes a tile of the first stage, and then the tiles of later stages whose input it
// completes. It makes up to four tiles of a stage in one round, because most of the time of a tile
// is spent waiting.
//
// The idea that the last workgroup to arrive carries on: AMD, FidelityFX Single Pass Downsampler,
// 2020. It ends in one workgroup and drops texels at odd sizes; here tiles with a halo and a tree
// of stages avoid both.

void copy_tile(Slice slice, Span span)
{
    for (uint i = invocation(); i < span.owned.x * span.owned.y; i += GROUP_SIZE) {
        const uint y = i / span.owned.x;
        copy_base(slice, ivec2(span.origin + uvec2(i - y * span.owned.x, y)));
    }
}

// Get an invocation's texel of level 1 of a tile of a later stage, from the texels that the stage
// before left in the order of scratch_column(). All taps are loaded before the first is used. A tap
// that does not exist repeats one that does.
vec4 read_level_1(Slice slice, Stage stage, uint texels, uvec2 position)
{
    const uvec2 size = size_of(stage.level);
    const uvec2 taps = num_taps(size);
    const uint even = slice.index * push.slice_texels + texels + 2u * position.y * size.x +
                      position.x;
    const uint odd = even + (taps.x == 1u ? 0u : (size.x + 1u) >> 1);
    const uint below = taps.y == 1u ? 0u : size.x;
    if (EVEN_CHAIN || all(equal(taps, uvec2(2u)))) {
        return reduce_pair(reduce_pair(get_scratch(even), get_scratch(odd)),
                           reduce_pair(get_scratch(even + below), get_scratch(odd + below)));
    }
    const uint last = taps.y == 3u ? 2u * below : below;
    vec4 a, b, c;
    if (taps.x == 2u) {
        a = reduce_pair(get_scratch(even), get_scratch(odd));
        b = reduce_pair(get_scratch(even + below), get_scratch(odd + below));
        c = reduce_pair(get_scratch(even + last), get_scratch(odd + last));
    } else {
        const uint third = taps.x == 3u ? even + 1u : odd;
        const vec3 weights = tap_weights(size.x, float(position.x));
        a = reduce_repeated(get_scratch(even), get_scratch(odd), get_scratch(third),
                            taps.x, weights);
        b = reduce_repeated(get_scratch(even + below), get_scratch(odd + below),
                            get_scratch(third + below), taps.x, weights);
        c = reduce_repeated(get_scratch(even + last), get_scratch(odd + last),
                            get_scratch(third + last), taps.x, weights);
    }
    return reduce_repeated(a, b, c, taps.y, tap_weights(size.y, float(position.y)));
}

Part part_of(Stage stage, uvec2 tile, uint level)
{
    const uvec2 size = size_of(stage.level + level - 1u);
    return Part(span_of(stage, tile, level), size, 1.0 / vec2(size));
}

// Place and size of each level after the square, for each tile of a round. One invocation, a
// courier, computes each.
shared Part parts[MAX_AFTER * MAX_ROUND];

void plan_part(Stage stage, uint head, uvec2 tile)
{
    const uint k = invocation() % (MAX_ABOVE * MAX_ABOVE) + 1u;
    if (k <= MAX_AFTER && head + k <= stage.num_levels) {
        parts[MAX_AFTER * courier_of() + k - 1u] = part_of(stage, tile, head + k);
    }
}

// Make a texel of the k-th level after the square of a tile, from the level before. `slot` is the
// tile's number in the round.
void make_texel(Slice slice, Stage stage, Part part, uint slot, uint head, uint k, uvec2 local)
{
    if (all(lessThan(local, part.span.count))) {
        const uint side = SQUARE >> k;
        const uvec2 position = part.span.origin + local;
        const vec4 value = reduce_square(
            place_of(slot, k - 1u) + 4u * local.y * side + 2u * local.x, 2u * side, part, position);
        put_shared(place_of(slot, k) + local.y * side + local.x, value);
        if (head + k == stage.num_levels) {
            hand_over(slice, stage, position, value);
        }
    }
}

// Get the slot of a texel, and in local_of() its place in its tile. `index` counts the texels of
// the k-th level after the square over all tiles of a round.
uint slot_of(uint k, uint index)
{
    return index >> 2u * (MAX_AFTER - k);
}

uvec2 local_of(uint k, uint index)
{
    return uvec2(index, index >> (MAX_AFTER - k)) & ((SQUARE >> k) - 1u);
}

// Make a square, which is the stage's level `head`, an invocation a texel; and then the level after
// it, by 64 invocations, which plan it themselves in place of waiting for couriers.
void make_square(Slice slice, Stage stage, uvec2 tile, uint slot, uint head, Span span, uvec2 local,
                 vec4 value)
{
    const Part after = part_of(stage, tile, head + 1u);
    put_shared(local.y * SQUARE + local.x, value);
    barrier();
    if (all(lessThan(local, span.count)) && head == stage.num_levels) {
        hand_over(slice, stage, span.origin + local, value);
    }
    if (all(lessThan(local, span.owned))) {
        store(slice, stage.level + head, ivec2(span.origin + local), value);
    }
    if (head < stage.num_levels && slot_of(1u, invocation()) == slot) {
        make_texel(slice, stage, after, slot, head, 1u, local_of(1u, invocation()));
    }
}

// Make the levels after those of make_square(), up to the stage's last, of all tiles of a round.
void make_levels(Slice slice, Stage stage, uint head, uint num)
{
    [[dont_unroll]] for (uint k = 2u; head + k <= stage.num_levels; k++) {
        barrier();
        // Whole subgroups skip this and leave their time to others. The invocations of a subgroup
        // meet again at the end of this `if`, before the next barrier.
        const uint slot = slot_of(k, invocation());
        if (slot < num) {
            make_texel(slice, stage, parts[MAX_AFTER * slot + k - 1u], slot, head, k,
                       local_of(k, invocation()));
        }
    }
}

// Store the levels after the squares to the image, of two tiles at a time. Encoding texels takes
// longer than making them, so each level has invocations of its own, 128 for the first and 32 for
// each other. Couriers, which wait for memory, store nothing.
void store_levels(Slice slice, Stage stage, uint head, uint num)
{
    const uint k = invocation() < 128u ? 1u : invocation() / 32u - 2u;
    const uint index = k == 1u ? invocation() : invocation() % 32u;
    [[dont_unroll]] for (uint first = 0u; first < num; first += 2u) {
        const uint slot = first + slot_of(k, index);
        if (k <= MAX_AFTER && slot_of(k, index) < min(num - first, 2u) &&
            head + k <= stage.num_levels) {
            const uvec2 local = local_of(k, index);
            const Span span = parts[MAX_AFTER * slot + k - 1u].span;
            const bool is_owned = all(lessThan(local, span.owned));
            const uint place = place_of(slot, k) + local.y * (SQUARE >> k) + local.x;
            const Kept kept = Kept(get_shared(place), is_owned ? stage.level + head + k : 0u,
                                   span.origin + local);
            store_kept(slice, kept, stage.level + head + 1u, MAX_AFTER);
        }
    }
}

// Get the tile of a word of `pending`.
uvec2 tile_of(uint word)
{
    return uvec2(word & 0x3fffu, word >> 14 & 0x3fffu);
}

// Make the squares of a round's tiles, and the level after each.
void make_later_squares(Slice slice, Stage stage, uint texels, uint first, uint num)
{
    const uvec2 local = uvec2(invocation() % SQUARE, invocation() / SQUARE);
    [[dont_unroll]] for (uint slot = 0u; slot < num; slot++) {
        const uvec2 tile = tile_of(pending[first + slot]);
        const Span span = span_of(stage, tile, 1u);
        const vec4 value = read_level_1(slice, stage, texels,
                                        span.origin + min(local, span.count - 1u));
        if (slot > 0u) {
            barrier();
        }
        make_square(slice, stage, tile, slot, 1u, span, local, value);
    }
}

// Make `num` tiles of one stage, whose input is complete, and count them at the tiles above. They
// are the pending tiles after the first `rest`.
void make_round(Slice slice, uint stage_index, uint rest, uint num)
{
    const Stage stage = stage_of(stage_index);
    const bool is_courier = courier_of() < num;
    make_later_squares(slice, stage, stage_of(stage_index - 1u).texels, rest, num);
    Arrival arrival;
    arrival.num_below = 0u;
    if (is_courier) {
        const uvec2 tile = tile_of(pending[rest + courier_of()]);
        plan_part(stage, 1u, tile);
        arrival = plan_arrival(slice, stage_index, tile);
    }
    make_levels(slice, stage, 1u, num);
    arrive(arrival, rest);
    store_levels(slice, stage, 1u, num);
    meet();
}

// Make level 2 of the workgroup's tile of the first stage from level 1, and the level after it.
void make_first_square(Slice slice, Stage stage, uvec2 tile, vec4 values[ROWS])
{
    const Span span = span_of(stage, tile, 2u);
    make_square(slice, stage, tile, 0u, 2u, span, square_place(), make_level_2(span, values));
}

// Make the workgroup's tile of the first stage.
void make_first(Slice slice)
{
    const Stage stage = stage_of(0u);
    const uvec2 tile = gl_WorkGroupID.xy;
    if ((push.flags & WEIR_PYRAMID_FLAG_COPIES) != 0u) {
        copy_tile(slice, span_of(stage, tile, 0u));
    }
#ifdef SHUFFLE
    if (EVEN_STAGE) {
        make_even_tile(slice, stage, tile);
        return;
    }
#endif
    const Span span = span_of(stage, tile, 1u);
    vec4 values[ROWS];
    make_level_1(slice, span.origin + uvec2(column_of(invocation()), row_of(invocation())),
                 span.origin + span.owned, values);
    if (stage.num_levels > 1u) { // 1 in a chain of one level
        make_first_square(slice, stage, tile, values);
    }
    Arrival arrival;
    arrival.num_below = 0u;
    if (courier_of() == 0u) {
        plan_part(stage, 2u, tile);
        arrival = plan_arrival(slice, 0u, tile);
    }
    make_levels(slice, stage, 2u, 1u);
    arrive(arrival, 0u);
    store_levels(slice, stage, 2u, 1u);
    meet();
}

void main()
{
    const Slice slice = slice_of(gl_WorkGroupID.z);
#ifdef WEIR_CUSTOM
    if (weir_custom_version == 0u) { // never true; optimizers would remove a constant without a use
        return;
    }
    if (push.num_levels == 0u) { // a copy alone, as copy.comp makes it
        const uint side = WEIR_PYRAMID_GROUP_SIDE;
        const uvec2 position = side * gl_WorkGroupID.xy +
                               uvec2(invocation() % side, invocation() / side);
        if (all(lessThan(position, push.size))) {
            copy_base(slice, ivec2(position));
        }
        return;
    }
#endif
    make_first(slice);
    uint stage_index = 0u;
    uint rest = 0u;
    while (num_pending > 0u) {
        // Tiles that a round has made ready are all of the stage after its own.
        const uint num_new = num_pending - rest;
        const uint num = clamp(num_new, 1u, MAX_ROUND);
        rest = num_pending - num;
        stage_index = num_new > 0u ? stage_index + 1u : pending[rest] >> 28;
        make_round(slice, stage_index, rest, num);
    }
}
