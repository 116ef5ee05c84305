// SPDX-License-Identifier: MIT
// The floor of weir-bench pyramid: the least that anything must do that makes a mip pyramid of an
// image.
//
// Reads level 0 once and writes every texel of every further level once. The values are wrong on
// purpose: nothing waits for anything, so what remains is the memory, the texture unit and the
// launch. An invocation takes TAPS_X x TAPS_Y texels of level 1, each by one bilinear tap of the
// 2x2 texels under it (an odd last row or column is not read), all taps before the first store;
// those of one tap lie side by side over the workgroup. Levels 2 and on are written in tiles of the
// size of a workgroup, as ORDER says: WITH the workgroups of level 1, shared out from the first one
// on; FIRST, by workgroups of their own that are dispatched before those of level 1; or OWN, by the
// invocation whose texel of level 1 is the first one under them. Nothing is encoded: an sRGB level
// gets linear values, which are as many bytes. No shared memory.
// Requires shaderStorageImageWriteWithoutFormat.
#version 460

layout(local_size_x_id = 0, local_size_y_id = 1) in;

layout(constant_id = 2) const uint TAPS_X = 1u;
layout(constant_id = 3) const uint TAPS_Y = 1u;
layout(constant_id = 4) const uint ORDER = 0u;
const uint WITH = 0u, OWN = 1u, FIRST = 2u;

layout(set = 0, binding = 0) uniform sampler2DArray source;
layout(set = 0, binding = 1) writeonly uniform image2DArray levels[16];

layout(push_constant) uniform Push {
    uvec2 size;      // size of level 0 [texels]
    uint num_levels; // number of levels of the chain
    uint num_tiles;  // number of tiles of levels 2 and on; 0: OWN
} push;

uvec2 level_size(uint level)
{
    return max(push.size >> level, uvec2(1u));
}

// The levels are named by constants: indexing an array of images by a variable is an optional
// feature.
#define LEVELS_2_TO_15(DO) \
    DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11) DO(12) DO(13) DO(14) DO(15)

void write_shared(uvec2 position, uint layer, vec4 texel)
{
#define WRITE(LEVEL)                                                                               \
    if (LEVEL < push.num_levels && all(equal(position & ((1u << (LEVEL - 1)) - 1u), uvec2(0u))) && \
        all(lessThan(position >> (LEVEL - 1), level_size(LEVEL)))) {                               \
        imageStore(levels[LEVEL], ivec3(position >> (LEVEL - 1), layer), texel);                   \
    }
    LEVELS_2_TO_15(WRITE)
#undef WRITE
}

// Tile `tile` of all tiles of levels 2 and on.
void write_tile(uint tile, uint layer, vec4 texel)
{
#define WRITE(LEVEL)                                                                               \
    if (LEVEL < push.num_levels) {                                                                 \
        uvec2 size = level_size(LEVEL);                                                            \
        uvec2 tiles = (size + gl_WorkGroupSize.xy - 1u) / gl_WorkGroupSize.xy;                     \
        if (tile < tiles.x * tiles.y) {                                                            \
            uvec2 position = uvec2(tile % tiles.x, tile / tiles.x) * gl_WorkGroupSize.xy +         \
                             gl_LocalInvocationID.xy;                                              \
            if (all(lessThan(position, size))) {                                                   \
                imageStore(levels[LEVEL], ivec3(position, layer), texel);                          \
            }                                                                                      \
            return;                                                                                \
        }                                                                                          \
        tile -= tiles.x * tiles.y;                                                                 \
    }
    LEVELS_2_TO_15(WRITE)
#undef WRITE
}

// Write the tile of a workgroup of small levels. Returns false in a workgroup of level 1, whose
// place `group` becomes.
bool write_first(inout uvec2 group, uint layer)
{
    const uint num_rows = (push.num_tiles + gl_NumWorkGroups.x - 1u) / gl_NumWorkGroups.x;
    if (group.y >= num_rows) {
        group.y -= num_rows;
        return false;
    }
    const uint tile = group.y * gl_NumWorkGroups.x + group.x;
    if (tile < push.num_tiles) {
        write_tile(tile, layer, vec4(vec2(gl_GlobalInvocationID.xy) / vec2(push.size), 0.5, 1.0));
    }
    return true;
}

void main()
{
    const uint layer = gl_GlobalInvocationID.z;
    uvec2 group = gl_WorkGroupID.xy;
    if (ORDER == FIRST && write_first(group, layer)) {
        return;
    }
    const uvec2 size = level_size(1);
    const vec2 scale = 1.0 / vec2(push.size);
    const uvec2 first = group * gl_WorkGroupSize.xy * uvec2(TAPS_X, TAPS_Y) +
                        gl_LocalInvocationID.xy;
    vec4 texels[TAPS_X * TAPS_Y];
    for (uint y = 0u; y < TAPS_Y; y++) {
        for (uint x = 0u; x < TAPS_X; x++) {
            uvec2 position = first + uvec2(x, y) * gl_WorkGroupSize.xy;
            // The corner that four texels share. Beyond the image it is a texel of the image again.
            vec2 corner = vec2(2u * min(position, size - 1u) + 1u) * scale;
            texels[y * TAPS_X + x] = textureLod(source, vec3(corner, layer), 0.0);
        }
    }
    for (uint y = 0u; y < TAPS_Y; y++) {
        for (uint x = 0u; x < TAPS_X; x++) {
            uvec2 position = first + uvec2(x, y) * gl_WorkGroupSize.xy;
            if (all(lessThan(position, size))) {
                imageStore(levels[1], ivec3(position, layer), texels[y * TAPS_X + x]);
                if (ORDER == OWN) {
                    write_shared(position, layer, texels[y * TAPS_X + x]);
                }
            }
        }
    }
    if (ORDER == WITH) {
        const uint num_groups = gl_NumWorkGroups.x * gl_NumWorkGroups.y;
        uint tile = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
        for (; tile < push.num_tiles; tile += num_groups) {
            write_tile(tile, layer, texels[0]);
        }
    }
}
