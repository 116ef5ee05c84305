// SPDX-License-Identifier: MIT
// What the kernels of block formats for textures are bound to: src/encode/encoder.c.

layout(local_size_x = 4, local_size_y = 8) in;

const uint LEVEL_DEFAULT = 0u; // enum weir_level
const uint LEVEL_FAST = 1u;
const uint LEVEL_HIGH = 2u;

layout(constant_id = 0) const uint SOURCE_KIND = 0u;
layout(constant_id = 2) const bool DITHER = true;
layout(constant_id = 3) const uint LEVEL = LEVEL_DEFAULT;

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
