// SPDX-License-Identifier: MIT
// The stages of the one-dispatch kernel: which texels a tile makes, needs and owns.
//
// A stage makes some levels from the level that the stage before ended with. It is cut into tiles
// by its last level: tile t makes texels t R .. t R + R - 1 of it, and of each level between all
// that those lie on. At an odd size that is a texel more than twice as many, which two tiles make
// alike: the halo. The tile at the right or below owns it. R is as large as 32 texels of the first
// stage's level 1 allow, or 16 of a later one's.

struct Stage {
    uint num_levels;
    uint level;    // before its first, counted from the base
    uvec2 tile;    // R of both axes
    uvec2 num_tiles;
    uint texels;   // where the texels of its last level start in a slice of scratch
    uint counters; // where its tiles' counters start in a slice
};

Stage stage_of(uint index)
{
    const uvec4 packed = push.stages[index];
    Stage stage;
    stage.num_levels = packed.x & 0xffu;
    stage.level = packed.x >> WEIR_PYRAMID_STAGE_LEVEL_SHIFT & 0xffu;
    stage.tile = uvec2(packed.x >> WEIR_PYRAMID_STAGE_TILE_WIDTH_SHIFT & 0xffu,
                       packed.x >> WEIR_PYRAMID_STAGE_TILE_HEIGHT_SHIFT);
    stage.num_tiles = uvec2(packed.y & 0xffffu, packed.y >> WEIR_PYRAMID_STAGE_TILES_Y_SHIFT);
    stage.texels = packed.z;
    stage.counters = packed.w;
    return stage;
}

uvec2 size_of(uint level)
{
    return max(push.size >> level, 1u);
}

// Texels of one level.
struct Span {
    uvec2 origin;
    uvec2 count; // needed
    uvec2 owned; // of those, to be written to the image
};

// What `tile` touches of the stage's level j: 0 is what it reads, num_levels its result.
//
// `up` halvings above, outputs lo .. hi - 1 lie on texels lo 2^up .. hi 2^up - 1, and at odd sizes
// on as many more as the low bits of the size say.
Span span_of(Stage stage, uvec2 tile, uint j)
{
    const uint up = stage.num_levels - j;
    const uvec2 size = size_of(stage.level + j);
    const uvec2 last_size = size_of(stage.level + stage.num_levels);
    const uvec2 lo = tile * stage.tile;
    const uvec2 hi = min(lo + stage.tile, last_size);
    Span span;
    span.origin = lo << up;
    span.count = min((hi << up) + (size & ((1u << up) - 1u)), size) - span.origin;
    span.owned = mix(hi << up, size, equal(hi, last_size)) - span.origin;
    return span;
}
