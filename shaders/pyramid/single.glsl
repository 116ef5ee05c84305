// SPDX-License-Identifier: MIT
// The whole chain of any size in one dispatch.
//
// A workgroup makes a tile of the first stage, and then each tile of a later one whose input it is the last to
// complete.
//
// The idea of the last one to arrive: AMD, FidelityFX Single Pass Downsampler, 2020, which ends in one
// workgroup and drops texels at odd sizes; tiles with a halo and a tree of stages lift both.

void copy_tile(Slice slice, Span span)
{
    for (uint i = invocation(); i < span.owned.x * span.owned.y; i += GROUP_SIZE) {
        const uint y = i / span.owned.x;
        copy_base(slice, ivec2(span.origin + uvec2(i - y * span.owned.x, y)));
    }
}

// Level 1 of a tile of a later stage: an invocation's texel, from what the stage before left as scratch_column()
// says. All taps are loaded before the first is used; those that are none repeat one that is.
vec4 read_level_1(Slice slice, Stage stage, uint texels, uvec2 position)
{
    const uvec2 size = size_of(stage.level);
    const uvec2 taps = num_taps(size);
    const uint even = slice.index * push.slice_texels + texels + 2u * position.y * size.x + position.x;
    const uint odd = even + (taps.x == 1u ? 0u : (size.x + 1u) >> 1);
    const uint below = taps.y == 1u ? 0u : size.x;
    if (all(equal(size & 1u, uvec2(0u)))) {
        return reduce_pair(reduce_pair(scratch.texels[even], scratch.texels[odd]),
                           reduce_pair(scratch.texels[even + below], scratch.texels[odd + below]));
    }
    const uint third = taps.x == 3u ? even + 1u : odd;
    const uint last = taps.y == 3u ? 2u * below : below;
    const vec3 weights = tap_weights(size.x, position.x);
    const vec4 a = reduce_repeated(scratch.texels[even], scratch.texels[odd], scratch.texels[third], taps.x, weights);
    const vec4 b = reduce_repeated(scratch.texels[even + below], scratch.texels[odd + below],
                                   scratch.texels[third + below], taps.x, weights);
    const vec4 c = reduce_repeated(scratch.texels[even + last], scratch.texels[odd + last],
                                   scratch.texels[third + last], taps.x, weights);
    return reduce_repeated(a, b, c, taps.y, tap_weights(size.y, position.y));
}

// Of the tile's levels: worked out once, an invocation each.
shared Span spans[7];

void plan_spans(Stage stage, uvec2 tile)
{
    const uint level = invocation() - GROUP_SIZE / 2u; // others than plan_arrival()'s
    if (level > 0u && level <= stage.num_levels) {
        spans[level] = span_of(stage, tile, level);
    }
}

// The square's texel of an invocation, of the stage's level `head`.
void put_square(Slice slice, Stage stage, uint head, Span span, uvec2 local, vec4 value)
{
    if (all(lessThan(local, span.count))) {
        square[local.y * SQUARE + local.x] = value;
        if (head == stage.num_levels) {
            hand_over(slice, stage, span.origin + local, value);
        }
        if (all(lessThan(local, span.owned))) {
            store(slice, stage.level + head, ivec2(span.origin + local), value);
        }
    }
}

// Levels 1 and 2 of a tile of the first stage.
void make_first_square(Slice slice, Stage stage, uvec2 tile)
{
    const Span first = span_of(stage, tile, 1u);
    vec4 values[ROWS];
    make_level_1(slice, first.origin + uvec2(column_of(invocation()), row_of(invocation())), values);
    plan_spans(stage, tile);
    store_level_1(slice, first, values);
    if (stage.num_levels > 1u) { // else a chain of one level
        const Span span = span_of(stage, tile, 2u);
        put_square(slice, stage, 2u, span, square_place(), make_level_2(span, values));
    }
}

// Level 1 of a tile of a later stage.
void make_later_square(Slice slice, Stage stage, uint stage_index, uvec2 tile)
{
    const Span span = span_of(stage, tile, 1u);
    const uvec2 local = uvec2(invocation() % SQUARE, invocation() / SQUARE);
    const vec4 value = read_level_1(slice, stage, stage_of(stage_index - 1u).texels,
                                    span.origin + min(local, span.count - 1u));
    plan_spans(stage, tile);
    put_square(slice, stage, 1u, span, local, value);
}

// A texel of the k-th level after the square, from the one before.
void make_texel(Slice slice, Stage stage, uint head, uint k, uvec2 local)
{
    const Span span = spans[head + k];
    if (all(lessThan(local, span.count))) {
        const uint side = side_of(k);
        const uvec2 position = span.origin + local;
        const vec4 value = reduce_square(part_of(k - 1u) + 4u * local.y * side + 2u * local.x, 2u * side,
                                         size_of(stage.level + head + k - 1u), position);
        square[part_of(k) + local.y * side + local.x] = value;
        if (head + k == stage.num_levels) {
            hand_over(slice, stage, position, value);
        }
    }
}

// The levels after the square, each a quarter of the one before, up to the stage's last.
void make_levels(Slice slice, Stage stage, uint head)
{
    [[dont_unroll]] for (uint k = 1u; head + k <= stage.num_levels; k++) {
        if (k > 1u) {
            barrier();
        }
        const uint side = side_of(k);
        // Whole subgroups have nothing to do here: they must not take the time of others. And all meet again at
        // the end of this `if`, before the next barrier.
        if (invocation() < side * side) {
            make_texel(slice, stage, head, k, uvec2(invocation() % side, invocation() / side));
        }
    }
}

// The levels that make_levels() made, to the image, all at once, as encoding takes longer than making them: 64
// invocations a level. The first invocations, which come here last, have the smallest.
void store_levels(Slice slice, Stage stage, uint head)
{
    const uint index = invocation() % 64u;
    [[dont_unroll]] for (uint k = 1u; head + k <= stage.num_levels; k++) {
        const uint side = side_of(k);
        const uvec2 local = uvec2(index % side, index / side);
        const Span span = spans[head + k];
        if (invocation() / 64u == 4u - k && index < side * side && all(lessThan(local, span.owned))) {
            store(slice, stage.level + head + k, ivec2(span.origin + local), square[part_of(k) + index]);
        }
    }
}

// Makes tiles whose input is complete, one after the other, and then says so for all of them: that takes as long as
// a tile. Tiles that are ready by that follow in the next round.
void make_round(Slice slice)
{
    const uint num = min(num_pending, MAX_ROUND);
    const uint rest = num_pending - num;
    Stage stage;
    [[dont_unroll]] for (uint i = 0u; i < num; i++) {
        if (i > 0u) {
            barrier();
            store_levels(slice, stage, 1u);
            barrier();
        }
        const uint next = pending[rest + i];
        const uint stage_index = next >> 28;
        const uvec2 tile = uvec2(next & 0x3fffu, next >> 14 & 0x3fffu);
        stage = stage_of(stage_index);
        make_later_square(slice, stage, stage_index, tile);
        barrier();
        plan_arrival(slice, stage_index, tile, i);
        make_levels(slice, stage, 1u);
    }
    arrive(num, rest);
    store_levels(slice, stage, 1u);
    meet();
}

// The workgroup's tile of the first stage.
void make_first(Slice slice)
{
    const Stage stage = stage_of(0u);
    const uvec2 tile = gl_WorkGroupID.xy;
    if ((push.flags & COPIES) != 0u) {
        copy_tile(slice, span_of(stage, tile, 0u));
    }
#ifdef SHUFFLE
    if (EVEN_STAGE) {
        const Kept kept = make_even_tile(slice, stage, tile);
        arrive(1u, 0u);
        store_kept(slice, kept);
        meet();
        return;
    }
#endif
    make_first_square(slice, stage, tile);
    barrier();
    plan_arrival(slice, 0u, tile, 0u);
    make_levels(slice, stage, 2u);
    arrive(1u, 0u);
    store_levels(slice, stage, 2u);
    meet();
}

void main()
{
    const Slice slice = slice_of(gl_WorkGroupID.z);
#ifdef WEIR_CUSTOM
    if (push.num_levels == 0u) { // the copy alone, 16x16 texels a workgroup: copy.comp
        const uvec2 position = 16u * gl_WorkGroupID.xy + uvec2(invocation() % 16u, invocation() / 16u);
        if (all(lessThan(position, push.size))) {
            copy_base(slice, ivec2(position));
        }
        return;
    }
#endif
    make_first(slice);
    while (num_pending > 0u) {
        make_round(slice);
    }
}
