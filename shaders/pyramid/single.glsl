// SPDX-License-Identifier: MIT
// The whole chain of any size in one dispatch.
//
// A workgroup reduces one tile of the first stage in shared memory and leaves its last level in scratch
// memory. Whoever is the last to complete what a tile of the next stage needs carries on with that tile:
// nobody waits. Counters go back to zero with the tile that they released.
//
// The idea of the last one to arrive: AMD, FidelityFX Single Pass Downsampler, 2020, which ends in one
// workgroup and drops texels at odd sizes; tiles with a halo and a tree of stages lift both.

layout(local_size_x = 256) in;
layout(constant_id = 8) const bool EVEN_BASE = false; // both sides of the base are

layout(set = 1, binding = 0, std430) coherent buffer Scratch { vec4 texels[]; } scratch;
layout(set = 1, binding = 1, std430) coherent buffer Counters { uint arrived[]; } counters;

// A tile has 32x32 texels of its stage's level 1. An invocation makes four of them in a column, with its
// neighbours one of level 2; shared memory carries the levels after it.
const uint TILE = 32u;
const uint ROWS = 4u;
const uint GROUP_SIZE = TILE * TILE / ROWS;

shared vec4 exchanged[512]; // two rows of level 1 a strip; levels 2 to 6

// Tiles that this workgroup has completed the input of, and not yet made.
shared uint pending[16];
shared uint num_pending;

// What an invocation is in a tile.
struct Place {
    uint column; // of level 1
    uint strip;  // of ROWS rows
};

Place place_of()
{
    return Place(gl_LocalInvocationIndex % TILE, gl_LocalInvocationIndex / TILE);
}

// Where level j of a tile lies in shared memory: level 2 has 16x16 texels at most.
uint side_of(uint j)
{
    return TILE >> (j - 1u);
}

uint part_of(uint j)
{
    // 256 + 64 + ... texels before it: a geometric series.
    return (1024u - 4u * side_of(j) * side_of(j)) / 3u;
}

// The taps of an axis.
vec4 reduce_taps(vec4 a, vec4 b, vec4 c, uint taps, vec3 weights)
{
    return taps == 1u ? a : taps == 2u ? reduce_pair(a, b) : weir_reduce(a, b, c, weights);
}

// A texel of the level after one that lies in scratch. Taps that are none repeat one that is.
vec4 reduce_scratch(uint texels, uvec2 size, uvec2 position)
{
    const uvec2 taps = num_taps(size);
    const vec3 weights = odd_weights(size.x, position.x);
    const uint first = texels + 2u * (position.y * size.x + position.x);
    vec4 rows[3];
    [[unroll]] for (uint y = 0u; y < 3u; y++) {
        const uint row = first + min(y, taps.y - 1u) * size.x;
        rows[y] = reduce_taps(scratch.texels[row], scratch.texels[row + min(1u, taps.x - 1u)],
                              scratch.texels[row + taps.x - 1u], taps.x, weights);
    }
    return reduce_taps(rows[0], rows[1], rows[2], taps.y, odd_weights(size.y, position.y));
}

// Leaves the texels of a stage's last level to the stage after it.
void hand_over(Slice slice, Stage stage, uvec2 position, vec4 value)
{
    const uint level = stage.level + stage.num_levels;
    if (level < push.num_levels) {
        const uint first = slice.index * push.slice_texels + stage.texels;
        scratch.texels[first + position.y * size_of(level).x + position.x] = value;
    }
}

void copy_tile(Slice slice, Stage stage, uvec2 tile)
{
    const Span span = span_of(stage, tile, 0u);
    for (uint i = gl_LocalInvocationIndex; i < span.owned.x * span.owned.y; i += GROUP_SIZE) {
        const uint y = i / span.owned.x;
        copy_base(slice, ivec2(span.origin + uvec2(i - y * span.owned.x, y)));
    }
}

// A column of the base halved in y: fetched once a texel.
void fetch_column(Slice slice, ivec2 first, out vec4 values[ROWS])
{
    const ivec2 last = ivec2(push.size) - 1;
    const uint taps = EVEN_BASE ? 2u : num_taps(push.size).y;
    const int x = min(first.x, last.x);
    if (taps == 1u) {
        [[unroll]] for (uint k = 0u; k < ROWS; k++) {
            values[k] = load(slice, ivec2(x, 0)).value;
        }
    } else if (taps == 2u) {
        [[unroll]] for (uint k = 0u; k < ROWS; k++) {
            const int y = min(first.y + int(2u * k), last.y - 1);
            values[k] = reduce_pair(load(slice, ivec2(x, y)).value, load(slice, ivec2(x, y + 1)).value);
        }
    } else {
        vec4 above = load(slice, ivec2(x, min(first.y, last.y))).value;
        [[unroll]] for (uint k = 0u; k < ROWS; k++) {
            const int y = first.y + int(2u * k);
            const vec4 middle = load(slice, ivec2(x, min(y + 1, last.y))).value;
            const vec4 below = load(slice, ivec2(x, min(y + 2, last.y))).value;
            values[k] = weir_reduce(above, middle, below, odd_weights(push.size.y, uint(y) / 2u));
            above = below;
        }
    }
}

void fetch_columns(Slice slice, uvec2 position, out vec4 values[ROWS])
{
    const uint taps = EVEN_BASE ? 2u : num_taps(push.size).x;
    const ivec2 first = ivec2(2u * position);
    fetch_column(slice, first, values);
    if (taps == 1u) {
        return;
    }
    vec4 right[ROWS];
    fetch_column(slice, first + ivec2(1, 0), right);
    if (taps == 2u) {
        [[unroll]] for (uint k = 0u; k < ROWS; k++) {
            values[k] = reduce_pair(values[k], right[k]);
        }
        return;
    }
    vec4 further[ROWS];
    fetch_column(slice, first + ivec2(2, 0), further);
    const vec3 weights = odd_weights(push.size.x, position.x);
    [[unroll]] for (uint k = 0u; k < ROWS; k++) {
        values[k] = weir_reduce(values[k], right[k], further[k], weights);
    }
}

// Level 1 of a tile's base: the texels of an invocation. Outside the tile's span they are any.
void level_1_of_base(Slice slice, Span span, out vec4 values[ROWS])
{
    const Place place = place_of();
    const uvec2 first = span.origin + uvec2(place.column, ROWS * place.strip);
    if (FILTERED && EVEN_BASE) {
        const vec2 texel = 1.0 / vec2(push.size);
        const vec2 corner = vec2(2u * first + 1u) * texel;
        [[unroll]] for (uint k = 0u; k < ROWS; k++) {
            values[k] = filter_base(slice, corner + vec2(0.0, float(2u * k) * texel.y));
        }
    } else if (IS_WEIGHTED) {
        const uvec2 last = span.origin + span.count - 1u;
        for (uint k = 0u; k < ROWS; k++) {
            values[k] = reduce_fetched(slice, min(first + uvec2(0u, k), last));
        }
    } else {
        fetch_columns(slice, first, values);
    }
}

// The same of a level in scratch.
void level_1_of_scratch(Slice slice, Stage stage, Span span, uint texels, out vec4 values[ROWS])
{
    const Place place = place_of();
    const uvec2 first = span.origin + uvec2(place.column, ROWS * place.strip);
    const uvec2 last = span.origin + span.count - 1u;
    const uvec2 size = size_of(stage.level);
    if (any(greaterThanEqual(uvec2(place.column, ROWS * place.strip), span.count))) {
        return;
    }
    if ((size.x & 1u) == 0u && (size.y & 1u) == 0u) {
        [[unroll]] for (uint k = 0u; k < ROWS; k++) {
            const uvec2 position = min(first + uvec2(0u, k), last);
            const uint upper = texels + 2u * (position.y * size.x + position.x);
            values[k] = reduce_pair(reduce_pair(scratch.texels[upper], scratch.texels[upper + 1u]),
                                    reduce_pair(scratch.texels[upper + size.x],
                                                scratch.texels[upper + size.x + 1u]));
        }
    } else {
        [[unroll]] for (uint k = 0u; k < ROWS; k++) {
            values[k] = reduce_scratch(texels, size, min(first + uvec2(0u, k), last));
        }
    }
}

void keep_level_1(Slice slice, Stage stage, Span span, uint level, vec4 values[ROWS])
{
    const Place place = place_of();
    [[unroll]] for (uint k = 0u; k < ROWS; k++) {
        const uvec2 local = uvec2(place.column, ROWS * place.strip + k);
        if (all(lessThan(local, span.owned))) {
            store(slice, level, ivec2(span.origin + local), values[k]);
        }
        if (stage.num_levels == 1u && all(lessThan(local, span.count))) {
            hand_over(slice, stage, span.origin + local, values[k]);
        }
    }
}

// The first row of the strip below an invocation's, in its column.
vec4 row_below(vec4 first)
{
    exchanged[gl_LocalInvocationIndex] = first;
    barrier();
    const vec4 below = exchanged[min(gl_LocalInvocationIndex + TILE, GROUP_SIZE - 1u)];
    barrier();
    return below;
}

// One row of level 2 from two or three of level 1, before its columns are halved.
vec4 halve_rows(vec4 a, vec4 b, vec4 c, uint size, uint row)
{
    return reduce_taps(a, b, c, num_taps(uvec2(size)).y, odd_weights(size, row));
}

// Halves the columns of two rows: invocations of even columns make a texel of the upper, those of odd
// columns one of the lower.
vec4 halve_columns(vec4 upper, vec4 lower, uint size, uint column)
{
    exchanged[gl_LocalInvocationIndex] = upper;
    exchanged[GROUP_SIZE + gl_LocalInvocationIndex] = lower;
    barrier();
    const uint first = (gl_LocalInvocationIndex & 1u) * GROUP_SIZE + (gl_LocalInvocationIndex & ~1u);
    const vec4 value = reduce_taps(exchanged[first], exchanged[first + 1u],
                                   exchanged[min(first + 2u, 2u * GROUP_SIZE - 1u)],
                                   num_taps(uvec2(size)).x, odd_weights(size, column));
    barrier();
    return value;
}

void keep_level_2(Slice slice, Stage stage, Span span, uvec2 local, vec4 value)
{
    if (all(lessThan(local, span.count))) {
        if (stage.num_levels == 2u) {
            hand_over(slice, stage, span.origin + local, value);
        } else {
            exchanged[part_of(2u) + local.y * side_of(2u) + local.x] = value;
        }
        if (all(lessThan(local, span.owned))) {
            store(slice, stage.level + 2u, ivec2(span.origin + local), value);
        }
    }
}

void level_2(Slice slice, Stage stage, uvec2 tile, vec4 values[ROWS])
{
    const Place place = place_of();
    const Span span = span_of(stage, tile, 2u);
    const uvec2 size = size_of(stage.level + 1u);
    const uvec2 local = uvec2(place.column / 2u, ROWS / 2u * place.strip + (place.column & 1u));
    const uint row = span.origin.y + ROWS / 2u * place.strip;
    vec4 below = values[0];
    if (num_taps(size).y == 3u) {
        below = row_below(values[0]);
    }
    vec4 halved[ROWS / 4u];
    [[unroll]] for (uint k = 0u; k < ROWS / 4u; k++) {
        const vec4 upper = halve_rows(values[4u * k], values[4u * k + 1u], values[4u * k + 2u], size.y,
                                      row + 2u * k);
        const vec4 next = k + 1u < ROWS / 4u ? values[(4u * k + 4u) % ROWS] : below;
        const vec4 lower = halve_rows(values[4u * k + 2u], values[4u * k + 3u], next, size.y, row + 2u * k + 1u);
        halved[k] = halve_columns(upper, lower, size.x, span.origin.x + local.x);
    }
    [[unroll]] for (uint k = 0u; k < ROWS / 4u; k++) {
        keep_level_2(slice, stage, span, local + uvec2(0u, 2u * k), halved[k]);
    }
}

// A texel of the level after one that lies in shared memory.
vec4 reduce_shared(uint first, uint pitch, uvec2 size, uvec2 position)
{
    if ((size.x & 1u) == 0u && (size.y & 1u) == 0u) {
        return reduce_pair(reduce_pair(exchanged[first], exchanged[first + 1u]),
                           reduce_pair(exchanged[first + pitch], exchanged[first + pitch + 1u]));
    }
    const uvec2 taps = num_taps(size);
    const vec3 weights = odd_weights(size.x, position.x);
    vec4 rows[3];
    [[unroll]] for (uint y = 0u; y < 3u; y++) {
        const uint row = first + min(y, taps.y - 1u) * pitch;
        rows[y] = reduce_taps(exchanged[row], exchanged[row + min(1u, taps.x - 1u)],
                              exchanged[row + taps.x - 1u], taps.x, weights);
    }
    return reduce_taps(rows[0], rows[1], rows[2], taps.y, odd_weights(size.y, position.y));
}

// Levels 3 and on, each a quarter of the one before.
void further_levels(Slice slice, Stage stage, uvec2 tile)
{
    for (uint j = 3u; j <= stage.num_levels; j++) {
        barrier();
        const uint side = side_of(j);
        const uvec2 local = uvec2(gl_LocalInvocationIndex % side, gl_LocalInvocationIndex / side);
        const Span span = span_of(stage, tile, j);
        if (all(lessThan(local, span.count))) {
            const uvec2 position = span.origin + local;
            const vec4 value = reduce_shared(part_of(j - 1u) + 4u * local.y * side + 2u * local.x, 2u * side,
                                             size_of(stage.level + j - 1u), position);
            exchanged[part_of(j) + gl_LocalInvocationIndex] = value;
            if (j == stage.num_levels) {
                hand_over(slice, stage, position, value);
            }
        }
    }
}

// Levels 3 and on, from shared memory to the image: all at once, as encoding takes longer than they do.
void store_levels(Slice slice, Stage stage, uvec2 tile)
{
    // From the last invocation on: the first ones are the last to come here.
    const uint index = GROUP_SIZE - 1u - gl_LocalInvocationIndex;
    uint j = 3u;
    uint start = 0u;
    while (j < 6u && index >= start + side_of(j) * side_of(j)) {
        start += side_of(j) * side_of(j);
        j++;
    }
    const uint side = side_of(j);
    const uvec2 local = uvec2((index - start) % side, (index - start) / side);
    if (j <= stage.num_levels && all(lessThan(local, span_of(stage, tile, j).owned))) {
        store(slice, stage.level + j, ivec2(span_of(stage, tile, j).origin + local),
              exchanged[part_of(j) + index - start]);
    }
}

void reduce_tile(Slice slice, uint stage_index, uvec2 tile)
{
    const Stage stage = stage_of(stage_index);
    const Span span = span_of(stage, tile, 1u);
    vec4 values[ROWS];
    if (stage_index == 0u) {
        if (FIRST && push.copies != 0u) {
            copy_tile(slice, stage, tile);
        }
        level_1_of_base(slice, span, values);
        keep_level_1(slice, stage, span, 1u, values);
    } else {
        const uint texels = slice.index * push.slice_texels + stage_of(stage_index - 1u).texels;
        level_1_of_scratch(slice, stage, span, texels, values);
        keep_level_1(slice, stage, span, stage.level + 1u, values);
    }
    if (stage.num_levels > 1u) {
        level_2(slice, stage, tile, values);
    }
    further_levels(slice, stage, tile);
}

// The first and the last tile of `stage` that need texels of tile `tile` of the stage before, an axis.
void tiles_above(Stage stage, Stage before, uvec2 tile, out uvec2 first, out uvec2 last)
{
    const uvec2 first_texel = tile * before.tile;
    const uvec2 last_texel = first_texel + before.tile - 1u;
    const uvec2 own = min((first_texel >> stage.num_levels) / stage.tile, stage.num_tiles - 1u);
    const uvec2 neighbour = max(own, 1u) - 1u;
    const Span span = span_of(stage, neighbour, 0u);
    first = mix(own, neighbour, greaterThan(span.origin + span.count, first_texel));
    last = min((last_texel >> stage.num_levels) / stage.tile, stage.num_tiles - 1u);
}

// How many tiles of the stage before make what `tile` reads.
uint num_tiles_below(Stage stage, Stage before, uvec2 tile)
{
    const Span span = span_of(stage, tile, 0u);
    const uvec2 first = span.origin / before.tile;
    const uvec2 last = (span.origin + span.count - 1u) / before.tile;
    const uvec2 count = last - first + 1u;
    return count.x * count.y;
}

// One invocation says that `tile` is complete, and notes the tiles above it that are ready by that.
void arrive(Slice slice, uint stage_index, uvec2 tile)
{
    const Stage before = stage_of(stage_index);
    const Stage stage = stage_of(stage_index + 1u);
    if (all(equal(stage.num_tiles, uvec2(1u)))) {
        const uint counter = slice.index * push.slice_counters + stage.counters;
        if (atomicAdd(counters.arrived[counter], 1u) + 1u == before.num_tiles.x * before.num_tiles.y) {
            atomicExchange(counters.arrived[counter], 0u);
            pending[num_pending++] = (stage_index + 1u) << 28;
        }
        return;
    }
    uvec2 first, last;
    tiles_above(stage, before, tile, first, last);
    for (uint y = first.y; y <= last.y; y++) {
        for (uint x = first.x; x <= last.x; x++) {
            const uint counter = slice.index * push.slice_counters + stage.counters + y * stage.num_tiles.x + x;
            if (atomicAdd(counters.arrived[counter], 1u) + 1u == num_tiles_below(stage, before, uvec2(x, y))) {
                atomicExchange(counters.arrived[counter], 0u);
                pending[num_pending++] = (stage_index + 1u) << 28 | y << 14 | x;
            }
        }
    }
}

void main()
{
    const Slice slice = slice_of(gl_WorkGroupID.z);
    uint stage_index = 0u;
    uvec2 tile = gl_WorkGroupID.xy;
    if (gl_LocalInvocationIndex == 0u) {
        num_pending = 0u;
    }
    for (;;) {
        const Stage stage = stage_of(stage_index);
        reduce_tile(slice, stage_index, tile);
        memoryBarrierBuffer(); // the results before the counters
        barrier();
        if (gl_LocalInvocationIndex == 0u && stage.level + stage.num_levels < push.num_levels) {
            arrive(slice, stage_index, tile);
        }
        store_levels(slice, stage, tile);
        barrier();
        if (num_pending == 0u) {
            break;
        }
        const uint next = pending[num_pending - 1u];
        barrier();
        if (gl_LocalInvocationIndex == 0u) {
            num_pending--;
        }
        memoryBarrierBuffer(); // the counters before the results of others
        stage_index = next >> 28;
        tile = uvec2(next & 0x3fffu, next >> 14 & 0x3fffu);
    }
}
