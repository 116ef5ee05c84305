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

// The square's texel of an invocation, of stage level j: from the base by way of level 1, or from scratch.
vec4 make_square(Slice slice, Stage stage, uint stage_index, uvec2 tile, Span span, uvec2 local)
{
    vec4 value;
    if (stage_index == 0u) {
        if (FIRST && push.copies != 0u) {
            copy_tile(slice, span_of(stage, tile, 0u));
        }
        const Span first = span_of(stage, tile, 1u);
        vec4 values[ROWS];
        make_level_1(slice, first.origin + uvec2(column_of(invocation()), row_of(invocation())), values);
        store_level_1(slice, first, values);
        value = make_level_2(span, values);
    } else {
        const uvec2 size = size_of(stage.level);
        const uvec2 position = span.origin + min(local, span.count - 1u);
        const uint first = slice.index * push.slice_texels + stage_of(stage_index - 1u).texels +
                           2u * (position.y * size.x + position.x);
        WEIR_REDUCE_ROWS(scratch.texels, first, size.x, size, position, value)
    }
    return value;
}

// A texel of the k-th level after the square, from the one before.
void make_texel(Slice slice, Stage stage, uvec2 tile, uint head, uint k, uvec2 local)
{
    const Span span = span_of(stage, tile, head + k);
    if (all(lessThan(local, span.count))) {
        const uint side = side_of(k);
        const uvec2 position = span.origin + local;
        const uint first = part_of(k - 1u) + 4u * local.y * side + 2u * local.x;
        const uvec2 size = size_of(stage.level + head + k - 1u);
        vec4 value;
        WEIR_REDUCE_ROWS(square, first, 2u * side, size, position, value)
        square[part_of(k) + local.y * side + local.x] = value;
        if (head + k == stage.num_levels) {
            hand_over(slice, stage, position, value);
        }
    }
}

// The levels after the square, each a quarter of the one before, up to the stage's last. `head` is the
// square's level, counted from the stage's input.
void make_levels(Slice slice, Stage stage, uvec2 tile, uint head)
{
    for (uint k = 1u; head + k <= stage.num_levels; k++) {
        barrier();
        const uint side = side_of(k);
        // Whole subgroups have nothing to do here: they must not take the time of others. And all meet again at
        // the end of this `if`, before the next barrier.
        if (invocation() < side * side) {
            make_texel(slice, stage, tile, head, k, uvec2(invocation() % side, invocation() / side));
        }
    }
}

// A texel of what make_levels() made, to the image: number `index` of all of them.
void store_texel(Slice slice, Stage stage, uvec2 tile, uint head, uint index)
{
    uint k = 1u;
    while (index >= part_of(k + 1u) - part_of(1u)) {
        k++;
    }
    const uint in_level = index - (part_of(k) - part_of(1u));
    const uvec2 local = uvec2(in_level % side_of(k), in_level / side_of(k));
    if (head + k <= stage.num_levels) {
        const Span span = span_of(stage, tile, head + k);
        if (all(lessThan(local, span.owned))) {
            store(slice, stage.level + head + k, ivec2(span.origin + local), square[part_of(k) + in_level]);
        }
    }
}

// All levels at once, as encoding takes longer than making them. From the last invocation on: the first ones are
// the last to come here.
void store_levels(Slice slice, Stage stage, uvec2 tile, uint head)
{
    const uint index = GROUP_SIZE - 1u - invocation();
    if (index < part_of(5u) - part_of(1u)) {
        store_texel(slice, stage, tile, head, index);
    }
}

// A tile, but for what store_levels() stores.
void make_tile(Slice slice, Stage stage, uint stage_index, uvec2 tile, uint head)
{
    const Span span = span_of(stage, tile, head);
    const uvec2 local = stage_index == 0u ? square_place() : uvec2(invocation() % SQUARE, invocation() / SQUARE);
    const vec4 value = make_square(slice, stage, stage_index, tile, span, local);
    if (head > stage.num_levels) {
        return; // a chain of one level
    }
    if (all(lessThan(local, span.count))) {
        square[local.y * SQUARE + local.x] = value;
        if (head == stage.num_levels) {
            hand_over(slice, stage, span.origin + local, value);
        }
        if (all(lessThan(local, span.owned))) {
            store(slice, stage.level + head, ivec2(span.origin + local), value);
        }
    }
    make_levels(slice, stage, tile, head);
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
        const uint head = stage_index == 0u ? 2u : 1u;
        make_tile(slice, stage, stage_index, tile, head);
        barrier();
        if (stage.level + stage.num_levels < push.num_levels && invocation() < MAX_ABOVE * MAX_ABOVE) {
            arrive(slice, stage_index, tile);
        }
        store_levels(slice, stage, tile, head);
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
