// SPDX-License-Identifier: MIT
// What the kernels of block formats for textures are bound to: src/encode/encoder.c.

layout(local_size_x = 4, local_size_y = 8) in;

const uint LEVEL_DEFAULT = 0u; // enum weir_effort
const uint LEVEL_FAST = 1u;
const uint LEVEL_HIGH = 2u;
const uint LEVEL_EXHAUSTIVE = 3u;

const uint BC1_OPAQUE = 0u; // enum bc1_mode
const uint BC1_BLACK = 1u;  // and three colours and black
const uint BC1_ALPHA = 2u;

layout(constant_id = 0) const uint SOURCE_KIND = 0u;
layout(constant_id = 2) const bool DITHER = true;
layout(constant_id = 3) const uint LEVEL = LEVEL_DEFAULT;
layout(constant_id = 4) const uint BC1_MODE = BC1_OPAQUE;
layout(constant_id = 5) const bool BC1_DITHER = false;

layout(set = 1, binding = 0, std430) writeonly buffer Target { uvec2 blocks[]; } target;

#include "encode/region.glsl"
#include "color/source.glsl"

// The codes of texel `i` of a block, row-major.
ivec4 fetch_codes(uvec2 block, uint i)
{
    const uvec2 position = texel_position(block, i);
    const vec4 texel = fetch_texel(position);
    return ivec4(source_codes(texel.rgb, position), source_alpha(texel.a));
}

// The code nearest to a channel of a texel, without dither, as a float without a fraction.
float nearest_code(float x)
{
    if (SOURCE_KIND == SOURCE_CODES8) {
        return source_codes(vec3(x), uvec2(0u)).x;
    }
    return float(channel_fine(x) + 512u >> 10);
}

// A channel of such a texel in 1/1024 of a code, before dither.
uint fetch_fine(uvec2 block, uint i, uint channel)
{
    return channel_fine(fetch_texel(texel_position(block, i))[channel]);
}
