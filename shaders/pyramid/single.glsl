// SPDX-License-Identifier: MIT
// The whole chain of any size in one dispatch.
//
// A workgroup makes a tile of the first stage and leaves its last level in scratch memory. Whoever is the
// last to complete what a tile of the next stage needs carries on with that tile: nobody waits. Counters go
// back to zero with the tile that they release.
//
// The idea of the last one to arrive: AMD, FidelityFX Single Pass Downsampler, 2020, which ends in one
// workgroup and drops texels at odd sizes; tiles with a halo and a tree of stages lift both.

layout(set = 1, binding = 0, std430) coherent buffer Scratch { vec4 texels[]; } scratch;
layout(set = 1, binding = 1, std430) coherent buffer Counters { uint arrived[]; } counters;

// Tiles that this workgroup has completed the input of, and not yet made.
const uint MAX_ABOVE = 4u; // of an axis, that a tile is part of the input of
shared uint pending[MAX_ABOVE * MAX_ABOVE * 4u];
shared uint num_pending;

// Leaves a texel of a stage's last level to the stage after it.
void hand_over(Slice slice, Stage stage, uvec2 position, vec4 value)
{
    const uint level = stage.level + stage.num_levels;
    if (level < push.num_levels) {
        const uint first = slice.index * push.slice_texels + stage.texels;
        scratch.texels[first + position.y * size_of(level).x + position.x] = value;
        memoryBarrierBuffer(); // before the counters. Here: it waits for every store of those that come by
    }
}

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

void make_level_1(Slice slice, Stage stage, uint stage_index, uvec2 tile, Span span, out vec4 values[ROWS])
{
    if (stage_index == 0u) {
        if (FIRST && (push.flags & COPIES) != 0u) {
            copy_tile(slice, span_of(stage, tile, 0u));
        }
        make_level_1(slice, span.origin + uvec2(column_of(invocation()), row_of(invocation())), values);
    } else {
        read_level_1(slice, stage, stage_of(stage_index - 1u).texels, span, values);
    }
}

// A texel of the k-th level after the square, from the one before.
void make_texel(Slice slice, Stage stage, uvec2 tile, uint k, uvec2 local)
{
    const Span span = span_of(stage, tile, 2u + k);
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
void make_levels(Slice slice, Stage stage, uvec2 tile)
{
    for (uint k = 1u; 2u + k <= stage.num_levels; k++) {
        barrier();
        const uint side = side_of(k);
        // Whole subgroups have nothing to do here: they must not take the time of others. And all meet again at
        // the end of this `if`, before the next barrier.
        if (invocation() < side * side) {
            make_texel(slice, stage, tile, k, uvec2(invocation() % side, invocation() / side));
        }
    }
}

// The levels that make_levels() made, to the image, all at once, as encoding takes longer than making them: 64
// invocations a level. The first invocations, which come here last, have the smallest.
void store_levels(Slice slice, Stage stage, uvec2 tile)
{
    const uint index = invocation() % 64u;
    [[dont_unroll]] for (uint k = 1u; 2u + k <= stage.num_levels; k++) {
        const uint side = side_of(k);
        const uvec2 local = uvec2(index % side, index / side);
        const Span span = span_of(stage, tile, 2u + k);
        if (invocation() / 64u == 4u - k && index < side * side && all(lessThan(local, span.owned))) {
            store(slice, stage.level + 2u + k, ivec2(span.origin + local), square[part_of(k) + index]);
        }
    }
}

// A tile, but for what store_levels() stores.
void make_tile(Slice slice, Stage stage, uint stage_index, uvec2 tile)
{
    const Span first = span_of(stage, tile, 1u);
    vec4 values[ROWS];
    make_level_1(slice, stage, stage_index, tile, first, values);
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
    make_levels(slice, stage, tile);
}

// a / b, for a below 2^20: by floats, as GPUs have no division of integers.
uvec2 divide(uvec2 a, uvec2 b)
{
    return uvec2((vec2(a) + 0.5) / vec2(b));
}

// The first and the last tile of `stage` that need texels of tile `tile` of the stage before, an axis.
void tiles_above(Stage stage, Stage before, uvec2 tile, out uvec2 first, out uvec2 last)
{
    const uvec2 first_texel = tile * before.tile;
    const uvec2 last_texel = first_texel + before.tile - 1u;
    const uvec2 own = min(divide(first_texel >> stage.num_levels, stage.tile), stage.num_tiles - 1u);
    const uvec2 neighbour = max(own, 1u) - 1u;
    const Span span = span_of(stage, neighbour, 0u);
    first = mix(own, neighbour, greaterThan(span.origin + span.count, first_texel));
    last = min(divide(last_texel >> stage.num_levels, stage.tile), stage.num_tiles - 1u);
}

// How many tiles of the stage before make what `tile` reads.
uint num_tiles_below(Stage stage, Stage before, uvec2 tile)
{
    const Span span = span_of(stage, tile, 0u);
    const uvec2 count = divide(span.origin + span.count - 1u, before.tile) - divide(span.origin, before.tile) + 1u;
    return count.x * count.y;
}

// Says that `tile` is complete, and notes the tiles above it that are ready by that: at most 4x4, one an
// invocation.
void arrive(Slice slice, uint stage_index, uvec2 tile)
{
    const Stage before = stage_of(stage_index);
    const Stage stage = stage_of(stage_index + 1u);
    uvec2 above = uvec2(invocation() % MAX_ABOVE, invocation() / MAX_ABOVE);
    uvec2 last = uvec2(0u);
    uint num_below = before.num_tiles.x * before.num_tiles.y;
    if (any(greaterThan(stage.num_tiles, uvec2(1u)))) {
        uvec2 first;
        tiles_above(stage, before, tile, first, last);
        above += first;
        num_below = num_tiles_below(stage, before, above);
    }
    if (all(lessThanEqual(above, last))) {
        const uint counter = slice.index * push.slice_counters + stage.counters + above.y * stage.num_tiles.x + above.x;
        if (atomicAdd(counters.arrived[counter], 1u) + 1u == num_below) {
            atomicExchange(counters.arrived[counter], 0u);
            pending[atomicAdd(num_pending, 1u)] = (stage_index + 1u) << 28 | above.y << 14 | above.x;
        }
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
        make_tile(slice, stage, stage_index, tile);
        barrier();
        if (stage.level + stage.num_levels < push.num_levels && invocation() < MAX_ABOVE * MAX_ABOVE) {
            arrive(slice, stage_index, tile);
        }
        store_levels(slice, stage, tile);
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
