// SPDX-License-Identifier: MIT
// The stages of the one-dispatch kernel, and the texels that a tile makes, needs and owns.
//
// A stage makes some levels from the level that the stage before ended with. It is cut into tiles
// by its last level: tile t makes texels t R .. t R + R - 1 of it, and all texels of the levels
// between that these lie on. At an odd size that is one texel more than twice as many, the halo,
// which both of two neighbours make. The tile at the right or below owns it. R is as large as it
// can be for a tile of 32 texels in the first stage's level 1, or of 16 in a later stage's.

struct Stage {
    uint num_levels;
    uint level;    // the level that it reads, counted from the base
    uvec2 tile;    // R of each axis
    uvec2 num_tiles;
    uint texels;   // start of the texels of its last level in a slice of scratch memory
    uint counters; // start of its tiles' counters in a slice
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

// Texels of one level that a tile touches.
struct Span {
    uvec2 origin;
    uvec2 count; // texels that it needs
    uvec2 owned; // the first of these, which it writes to the image
};

// Get the texels that `tile` touches in level j of the stage. Level 0 is the one that it reads,
// num_levels its result.
//
// The result's texels lo .. hi - 1 are `up` halvings above this level. They lie on its texels
// lo 2^up .. hi 2^up - 1, and on as many more as the low `up` bits of the size say.
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
