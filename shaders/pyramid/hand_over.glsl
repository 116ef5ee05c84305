// SPDX-License-Identifier: MIT
// How stages follow each other without anybody waiting: a workgroup leaves its tile's last level in
// scratch memory and says so to the tiles above that need it; whoever completes what one of those
// needs carries on with it. Counters go back to zero with the tile that they release.

#extension GL_KHR_memory_scope_semantics : require

layout(set = WEIR_PYRAMID_SET_SCRATCH, binding = WEIR_PYRAMID_BINDING_TEXELS, std430)
    coherent buffer Scratch { vec4 texels[]; } scratch;
layout(set = WEIR_PYRAMID_SET_SCRATCH, binding = WEIR_PYRAMID_BINDING_COUNTERS, std430)
    coherent buffer Counters { uint arrived[]; } counters;

const uint MAX_ABOVE = 4u; // tiles of an axis that are asked whether a tile is part of their input

// Tiles that this workgroup has completed the input of, and not yet made. A tile is part of the
// input of 9 at most, as it is no longer than 16 texels, and tiles above begin 16 apart or more:
// with four stages after the first, 9 and then three times 36 - 4 are the most that can be here.
shared uint pending[MAX_ABOVE * MAX_ABOVE * MAX_ROUND * 2u];
shared uint num_pending;

// Whom to tell of a tile that is made.
struct Arrival {
    uint counter;
    // tiles that count there, until the one above is ready; 0: there is nobody to tell
    uint num_below;
    uint above;     // as in `pending`
};

// The slot of the tile that an invocation is a courier of: the last sixteen are those of slot 0,
// and so on. They plan the tile's levels, and tell others of it.
uint courier_of()
{
    return (GROUP_SIZE - 1u - invocation()) / (MAX_ABOVE * MAX_ABOVE);
}

// Where a texel lies in its row: even columns first, so that neighbours read texels that lie side
// by side.
uint scratch_column(uint width, uint x)
{
    return (x >> 1) + (x & 1u) * ((width + 1u) >> 1);
}

// Leaves a texel of a stage's last level to the stage after it.
void hand_over(Slice slice, Stage stage, uvec2 position, vec4 value)
{
    const uint level = stage.level + stage.num_levels;
    if (level < push.num_levels) {
        const uint width = size_of(level).x;
        const uint row = slice.index * push.slice_texels + stage.texels + position.y * width;
        scratch.texels[row + scratch_column(width, position.x)] = value;
    }
}

// a / b, for a below 2^20: by floats, as GPUs have no division of integers.
uvec2 divide(uvec2 a, uvec2 b)
{
    return uvec2((vec2(a) + 0.5) / vec2(b));
}

// The first and the last tile of `stage` that need texels of tile `tile` of the stage before, an
// axis.
void tiles_above(Stage stage, Stage before, uvec2 tile, out uvec2 first, out uvec2 last)
{
    const uvec2 first_texel = tile * before.tile;
    const uvec2 last_texel = first_texel + before.tile - 1u;
    const uvec2 own = min(divide(first_texel >> stage.num_levels, stage.tile),
                          stage.num_tiles - 1u);
    const uvec2 neighbour = max(own, 1u) - 1u;
    const Span span = span_of(stage, neighbour, 0u);
    first = mix(own, neighbour, greaterThan(span.origin + span.count, first_texel));
    last = min(divide(last_texel >> stage.num_levels, stage.tile), stage.num_tiles - 1u);
}

// How many tiles of the stage before make what `tile` reads.
uint num_tiles_below(Stage stage, Stage before, uvec2 tile)
{
    const Span span = span_of(stage, tile, 0u);
    const uvec2 count = divide(span.origin + span.count - 1u, before.tile) -
                        divide(span.origin, before.tile) + 1u;
    return count.x * count.y;
}

// Whom a courier tells that `tile` is complete: one of at most 4x4.
Arrival plan_arrival(Slice slice, uint stage_index, uvec2 tile)
{
    const Stage before = stage_of(stage_index);
    Arrival arrival;
    arrival.num_below = 0u;
    if (before.level + before.num_levels >= push.num_levels) {
        return arrival;
    }
    const Stage stage = stage_of(stage_index + 1u);
    const uint index = invocation() % (MAX_ABOVE * MAX_ABOVE);
    uvec2 above = uvec2(index % MAX_ABOVE, index / MAX_ABOVE);
    uvec2 last = uvec2(0u);
    uint num_below = before.num_tiles.x * before.num_tiles.y;
    if (any(greaterThan(stage.num_tiles, uvec2(1u)))) {
        uvec2 first;
        tiles_above(stage, before, tile, first, last);
        above += first;
        num_below = num_tiles_below(stage, before, above);
    }
    arrival.counter = slice.index * push.slice_counters + stage.counters +
                      above.y * stage.num_tiles.x + above.x;
    arrival.num_below = all(lessThanEqual(above, last)) ? num_below : 0u;
    arrival.above = (stage_index + 1u) << 28 | above.y << 14 | above.x;
    return arrival;
}

// All invocations meet, and what each has done to memory comes before what any does after.
void meet()
{
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup,
                   gl_StorageSemanticsBuffer | gl_StorageSemanticsShared,
                   gl_SemanticsAcquireRelease);
}

// Says that tiles are complete, and adds those above them that are ready by that to the `rest` that
// are pending. All must meet() before they look at them.
void arrive(Arrival arrival, uint rest)
{
    if (invocation() == 0u) {
        num_pending = rest;
    }
    meet();
    if (arrival.num_below > 0u) { // no return: all of a subgroup go on together
        memoryBarrier(gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelease);
        if (atomicAdd(counters.arrived[arrival.counter], 1u) + 1u == arrival.num_below) {
            memoryBarrier(gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquire);
            atomicExchange(counters.arrived[arrival.counter], 0u);
            pending[atomicAdd(num_pending, 1u)] = arrival.above;
        }
    }
}
