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

// A row of what the stage before left, reduced in x.
vec4 reduce_scratch(uint first, uint taps, vec3 weights)
{
    const vec4 a = scratch.texels[first];
    const vec4 b = scratch.texels[first + min(taps, 2u) - 1u];
    return weir_reduce(a, b, taps == 3u ? scratch.texels[first + 2u] : b, weights);
}

// Level 1 of a tile of a later stage: the four texels of an invocation. Outside the image they are any.
void read_level_1(Slice slice, Stage stage, uint texels, Span span, out vec4 values[ROWS])
{
    const uvec2 size = size_of(stage.level);
    const uvec2 taps = num_taps(size);
    const uvec2 position = span.origin + uvec2(min(column_of(invocation()), span.count.x - 1u), row_of(invocation()));
    const uint column = slice.index * push.slice_texels + texels + 2u * position.x;
    const vec3 weights = tap_weights(size.x, position.x);
    values = vec4[ROWS](vec4(0.0), vec4(0.0), vec4(0.0), vec4(0.0));
    if (row_of(invocation()) >= span.count.y) {
        return; // a whole subgroup
    }
    vec4 upper = reduce_scratch(column + min(2u * position.y, size.y - 1u) * size.x, taps.x, weights);
    // A loop in earnest: code that runs once waits for its instructions.
    [[dont_unroll]] for (uint k = 0u; k < ROWS; k++) {
        const uint y = 2u * (position.y + k);
        const vec4 middle = reduce_scratch(column + min(y + 1u, size.y - 1u) * size.x, taps.x, weights);
        const vec4 lower = reduce_scratch(column + min(y + 2u, size.y - 1u) * size.x, taps.x, weights);
        const vec4 value = weir_reduce(upper, middle, taps.y == 3u ? lower : middle,
                                       tap_weights(size.y, position.y + k));
        values = vec4[ROWS](values[1], values[2], values[3], value);
        upper = lower;
    }
}

void make_level_1(Slice slice, Stage stage, uint stage_index, Span span, out vec4 values[ROWS])
{
    if (stage_index == 0u) {
        make_level_1(slice, span.origin + uvec2(column_of(invocation()), row_of(invocation())), values);
    } else {
        read_level_1(slice, stage, stage_of(stage_index - 1u).texels, span, values);
    }
}

// Of the tile's levels after the square: worked out once, an invocation each.
shared Span spans[7];

void plan_spans(Stage stage, uvec2 tile)
{
    const uint level = invocation() - GROUP_SIZE / 2u; // others than plan_arrival()'s
    if (level > 2u && level <= stage.num_levels) {
        spans[level] = span_of(stage, tile, level);
    }
}

// A texel of the k-th level after the square, from the one before.
void make_texel(Slice slice, Stage stage, uint k, uvec2 local)
{
    const Span span = spans[2u + k];
    if (all(lessThan(local, span.count))) {
        const uint side = side_of(k);
        const uvec2 position = span.origin + local;
        const vec4 value = reduce_square(part_of(k - 1u) + 4u * local.y * side + 2u * local.x, 2u * side,
                                         size_of(stage.level + 1u + k), position);
        square[part_of(k) + local.y * side + local.x] = value;
        if (2u + k == stage.num_levels) {
            hand_over(slice, stage, position, value);
        }
    }
}

// The levels after the square, each a quarter of the one before, up to the stage's last.
void make_levels(Slice slice, Stage stage)
{
    for (uint k = 1u; 2u + k <= stage.num_levels; k++) {
        barrier();
        const uint side = side_of(k);
        // Whole subgroups have nothing to do here: they must not take the time of others. And all meet again at
        // the end of this `if`, before the next barrier.
        if (invocation() < side * side) {
            make_texel(slice, stage, k, uvec2(invocation() % side, invocation() / side));
        }
    }
}

// The levels that make_levels() made, to the image, all at once, as encoding takes longer than making them: 64
// invocations a level. The first invocations, which come here last, have the smallest.
void store_levels(Slice slice, Stage stage)
{
    const uint index = invocation() % 64u;
    [[dont_unroll]] for (uint k = 1u; 2u + k <= stage.num_levels; k++) {
        const uint side = side_of(k);
        const uvec2 local = uvec2(index % side, index / side);
        if (invocation() / 64u == 4u - k && index < side * side && all(lessThan(local, spans[2u + k].owned))) {
            store(slice, stage.level + 2u + k, ivec2(spans[2u + k].origin + local), square[part_of(k) + index]);
        }
    }
}

// A tile, but for what store_levels() stores.
void make_tile(Slice slice, Stage stage, uint stage_index, uvec2 tile)
{
    const Span first = span_of(stage, tile, 1u);
    vec4 values[ROWS];
    make_level_1(slice, stage, stage_index, first, values);
    plan_arrival(slice, stage_index, tile);
    plan_spans(stage, tile);
    store_level_1(slice, stage, first, values);
    if (stage.num_levels < 2u) {
        return; // the end of a chain
    }
    const Span span = span_of(stage, tile, 2u);
    const vec4 value = make_level_2(stage, span, values);
    const uvec2 local = square_place();
    if (all(lessThan(local, span.count))) {
        square[local.y * SQUARE + local.x] = value;
        if (stage.num_levels == 2u) {
            hand_over(slice, stage, span.origin + local, value);
        }
        if (all(lessThan(local, span.owned))) {
            store(slice, stage.level + 2u, ivec2(span.origin + local), value);
        }
    }
    make_levels(slice, stage);
}

// Once the tile's last level is in scratch memory.
void arrive_all(Stage stage)
{
    barrier();
    if (stage.level + stage.num_levels < push.num_levels && invocation() < MAX_ABOVE * MAX_ABOVE) {
        arrive();
    }
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
    uint stage_index = 0u;
    uvec2 tile = gl_WorkGroupID.xy;
    if (invocation() == 0u) {
        num_pending = 0u;
    }
    for (;;) {
        const Stage stage = stage_of(stage_index);
        if (FIRST && (push.flags & COPIES) != 0u && stage_index == 0u) {
            copy_tile(slice, span_of(stage, tile, 0u));
        }
#ifdef SHUFFLE
        if (EVEN_STAGE && stage_index == 0u) {
            const Kept kept = make_even_tile(slice, stage, tile);
            arrive_all(stage);
            store_kept(slice, kept);
        } else
#endif
        {
            make_tile(slice, stage, stage_index, tile);
            arrive_all(stage);
            store_levels(slice, stage);
        }
        barrier();
        if (num_pending == 0u) {
            break;
        }
        const uint next = pending[num_pending - 1u];
        barrier();
        if (invocation() == 0u) {
            num_pending--;
        }
        memoryBarrierBuffer(); // the counters before the results of others
        stage_index = next >> 28;
        tile = uvec2(next & 0x3fffu, next >> 14 & 0x3fffu);
    }
}
