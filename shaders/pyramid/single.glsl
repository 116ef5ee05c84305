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

layout(set = 1, binding = 0, std430) coherent buffer Scratch { vec4 texels[]; } scratch;
layout(set = 1, binding = 1, std430) coherent buffer Counters { uint arrived[]; } counters;

// Shared memory: levels 1, 3, 5 of a tile in the first part, 2 and 4 in the second [texels].
const uint ODD_TEXELS = 1600u;
const uint EVEN_TEXELS = 400u;
shared vec4 tile_texels[ODD_TEXELS + EVEN_TEXELS];

// Tiles that this workgroup has completed the input of, and not yet made.
shared uint pending[16];
shared uint num_pending;

uint part_of(uint j)
{
    return (j & 1u) != 0u ? 0u : ODD_TEXELS;
}

// The taps of an axis among texels in shared memory or scratch memory.
vec4 reduce_taps(vec4 a, vec4 b, vec4 c, uint taps, vec3 weights)
{
    return taps == 1u ? a : taps == 2u ? reduce_pair(a, b) : weir_reduce(a, b, c, weights);
}

#define WEIR_REDUCE_ROW(texel, index)                                                              \
    reduce_taps(texel(index), texel(index + min(taps.x - 1u, 1u)), texel(index + taps.x - 1u), taps.x, x)

#define WEIR_REDUCE_STORED(name, texel)                                                            \
    vec4 name(uint index, uint width, uvec2 size, uvec2 position)                                  \
    {                                                                                              \
        const uvec2 taps = num_taps(size);                                                         \
        const vec3 x = odd_weights(size.x, position.x);                                            \
        const vec3 y = odd_weights(size.y, position.y);                                            \
        const vec4 a = WEIR_REDUCE_ROW(texel, index);                                              \
        if (taps.y == 1u) {                                                                        \
            return a;                                                                              \
        }                                                                                          \
        const vec4 b = WEIR_REDUCE_ROW(texel, index + width);                                      \
        if (taps.y == 2u) {                                                                        \
            return reduce_pair(a, b);                                                              \
        }                                                                                          \
        return weir_reduce(a, b, WEIR_REDUCE_ROW(texel, index + 2u * width), y);                   \
    }

vec4 shared_texel(uint index) { return tile_texels[index]; }
vec4 scratch_texel(uint index) { return scratch.texels[index]; }
WEIR_REDUCE_STORED(reduce_shared, shared_texel)
WEIR_REDUCE_STORED(reduce_scratch, scratch_texel)

void copy_tile(Slice slice, Stage stage, uvec2 tile)
{
    const Span span = span_of(stage, tile, 0u);
    for (uint i = gl_LocalInvocationIndex; i < span.owned.x * span.owned.y; i += 256u) {
        const uint y = i / span.owned.x;
        copy_base(slice, ivec2(span.origin + uvec2(i - y * span.owned.x, y)));
    }
}

void reduce_tile(Slice slice, uint stage_index, uvec2 tile)
{
    const Stage stage = stage_of(stage_index);
    const bool is_last_stage = stage.level + stage.num_levels == push.num_levels;
    const uint slice_texels = slice.index * push.slice_texels;
    Span source = span_of(stage, tile, 0u);
    uvec2 source_size = size_of(stage.level);
    const uint source_texels = slice_texels + (stage_index > 0u ? stage_of(stage_index - 1u).texels : 0u);
    if (FIRST && push.copies != 0u && stage_index == 0u) {
        copy_tile(slice, stage, tile);
    }
    for (uint j = 1u; j <= stage.num_levels; j++) {
        const Span span = span_of(stage, tile, j);
        const uvec2 size = size_of(stage.level + j);
        const uint inverse = (1u << 20) / span.count.x + 1u;
        for (uint i = gl_LocalInvocationIndex; i < span.count.x * span.count.y; i += 256u) {
            const uint row = i * inverse >> 20;
            const uvec2 local = uvec2(i - row * span.count.x, row);
            const uvec2 position = span.origin + local;
            vec4 value;
            if (j > 1u) {
                const uvec2 first = 2u * local;
                value = reduce_shared(part_of(j - 1u) + first.y * source.count.x + first.x, source.count.x,
                                      source_size, position);
            } else if (stage_index > 0u) {
                const uvec2 first = 2u * position;
                value = reduce_scratch(source_texels + first.y * source_size.x + first.x, source_size.x,
                                       source_size, position);
            } else {
                value = reduce_base(slice, position);
            }
            if (all(lessThan(local, span.owned))) {
                store(slice, stage.level + j, ivec2(position), value);
            }
            if (j < stage.num_levels) {
                tile_texels[part_of(j) + i] = value;
            } else if (!is_last_stage) {
                scratch.texels[slice_texels + stage.texels + position.y * size.x + position.x] = value;
            }
        }
        barrier();
        source = span;
        source_size = size;
    }
}

// The first and the last tile of `stage` that need texel range of tile `tile` of the stage before, an axis.
void tiles_above(Stage stage, Stage before, uvec2 tile, out uvec2 first, out uvec2 last)
{
    const uvec2 texel = tile << before.tile_log2;
    last = min(texel >> (stage.num_levels + stage.tile_log2), stage.num_tiles - 1u);
    const uvec2 neighbour = max(last, 1u) - 1u;
    const Span span = span_of(stage, neighbour, 0u);
    first = mix(last, neighbour, greaterThan(span.origin + span.count, texel));
}

// How many tiles of the stage before make what `tile` reads.
uint num_tiles_below(Stage stage, Stage before, uvec2 tile)
{
    const Span span = span_of(stage, tile, 0u);
    const uvec2 first = span.origin >> before.tile_log2;
    const uvec2 last = (span.origin + span.count - 1u) >> before.tile_log2;
    const uvec2 count = last - first + 1u;
    return count.x * count.y;
}

// One invocation says that `tile` is complete, and notes the tiles above it that are ready by that.
void arrive(Slice slice, uint stage_index, uvec2 tile)
{
    const Stage before = stage_of(stage_index);
    const Stage stage = stage_of(stage_index + 1u);
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
        reduce_tile(slice, stage_index, tile);
        const Stage stage = stage_of(stage_index);
        if (stage.level + stage.num_levels < push.num_levels) {
            memoryBarrierBuffer(); // the results before the counters
            barrier();
            if (gl_LocalInvocationIndex == 0u) {
                arrive(slice, stage_index, tile);
            }
        }
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
