// SPDX-License-Identifier: MIT
// Hands tiles from stage to stage without a workgroup that waits. A workgroup leaves its tile's
// last level in scratch memory and counts the tile at those of the next stage, the tiles above,
// that read it. The workgroup that completes the input of a tile above makes it. The counter goes
// back to zero then.

#extension GL_KHR_memory_scope_semantics : require

layout(set = WEIR_PYRAMID_SET_SCRATCH, binding = WEIR_PYRAMID_BINDING_TEXELS, std430)
    coherent buffer Scratch { vec4 texels[]; } scratch_rgba;
layout(set = WEIR_PYRAMID_SET_SCRATCH, binding = WEIR_PYRAMID_BINDING_TEXELS, std430)
    coherent buffer ScratchRg { vec2 texels[]; } scratch_rg;
layout(set = WEIR_PYRAMID_SET_SCRATCH, binding = WEIR_PYRAMID_BINDING_TEXELS, std430)
    coherent buffer ScratchR { float texels[]; } scratch_r;
layout(set = WEIR_PYRAMID_SET_SCRATCH, binding = WEIR_PYRAMID_BINDING_COUNTERS, std430)
    coherent buffer Counters { uint arrived[]; } counters;

const uint MAX_ABOVE = 4u; // tiles above, on an axis, that are asked whether they read a tile

// Tiles whose input this workgroup has completed, but that it has not made. At most 9 tiles above
// read a tile, because it is no longer than 16 texels and the tiles above begin at least 16 texels
// apart. The first stage leaves 9 tiles here. A round takes 4 tiles and leaves at most 36 of the
// next stage. With four stages after the first, 9 + 3 * (36 - 4) tiles are the most.
shared uint pending[MAX_ABOVE * MAX_ABOVE * MAX_ROUND * 2u];
shared uint num_pending;

// A tile of a later stage that reads the finished tile, and its counter.
struct Arrival {
    uint counter;   // index of the counter
    uint num_below; // tiles that the tile above reads: the count at which it is ready; 0: no tile
    uint above;     // the tile above, as in `pending`
};

// Get the slot of the tile that an invocation is a courier of. The last sixteen invocations are the
// couriers of slot 0, the sixteen before them those of slot 1, and so on. Couriers plan the levels
// of their tile, and count the tile at those above it.
uint courier_of()
{
    return (GROUP_SIZE - 1u - invocation()) / (MAX_ABOVE * MAX_ABOVE);
}

// Get the place of a texel in its row of scratch memory. Even columns come first, so that
// neighbouring invocations read texels side by side.
uint scratch_column(uint width, uint x)
{
    return (x >> 1) + (x & 1u) * ((width + 1u) >> 1);
}

// Write and read a texel of scratch memory, which takes 4, 8 or 16 bytes: a value of three channels
// takes as much as one of four.
void put_scratch(uint index, vec4 value)
{
    if (NUM_CHANNELS == 1u) {
        scratch_r.texels[index] = value.r;
    } else if (NUM_CHANNELS == 2u) {
        scratch_rg.texels[index] = value.rg;
    } else {
        scratch_rgba.texels[index] = used(value);
    }
}

vec4 get_scratch(uint index)
{
    if (NUM_CHANNELS == 1u) {
        return vec4(scratch_r.texels[index], 0.0, 0.0, 1.0);
    }
    if (NUM_CHANNELS == 2u) {
        return vec4(scratch_rg.texels[index], 0.0, 1.0);
    }
    return scratch_rgba.texels[index];
}

// Leave a texel of a stage's last level to the stage after it.
void hand_over(Slice slice, Stage stage, uvec2 position, vec4 value)
{
    const uint level = stage.level + stage.num_levels;
    if (level < push.num_levels) {
        const uint width = size_of(level).x;
        const uint row = slice.index * push.slice_texels + stage.texels + position.y * width;
        put_scratch(row + scratch_column(width, position.x), value);
    }
}

// Get a / b, rounded down, for a below 2^20, by floats, as GPUs have no instruction that divides
// integers.
uvec2 divide(uvec2 a, uvec2 b)
{
    return uvec2((vec2(a) + 0.5) / vec2(b));
}

// Get the first and the last tile of `stage`, on each axis, that read texels of tile `tile` of the
// stage before.
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

// Get the number of tiles of the stage before that `tile` reads.
uint num_tiles_below(Stage stage, Stage before, uvec2 tile)
{
    const Span span = span_of(stage, tile, 0u);
    const uvec2 count = divide(span.origin + span.count - 1u, before.tile) -
                        divide(span.origin, before.tile) + 1u;
    return count.x * count.y;
}

// Get the tile above `tile` at which this courier counts it, one of at most 4x4.
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

// Wait for all invocations of the workgroup. All writes to memory before are visible after.
void meet()
{
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup,
                   gl_StorageSemanticsBuffer | gl_StorageSemanticsShared,
                   gl_SemanticsAcquireRelease);
}

// Count finished tiles at those above them, and append the tiles that become ready to the `rest`
// pending ones. All invocations must meet() before they read `pending`.
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
