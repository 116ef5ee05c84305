// SPDX-License-Identifier: MIT
// The colour of a pixel, by which it is counted and mapped.
#extension GL_EXT_samplerless_texture_functions : require

#include "palette/constants.h"

layout(constant_id = WEIR_PALETTE_CONSTANT_SOURCE_KIND) const uint SOURCE_KIND = 0u;
layout(constant_id = WEIR_PALETTE_CONSTANT_TABLE) const bool TABLE = false;
const bool DITHER = false; // a colour must not depend on the pixel's place
#include "color/source.glsl"

#include "palette/memory.glsl"

layout(set = WEIR_PALETTE_SET_SOURCE, binding = 0) uniform texture2DArray source;

vec4 fetch_texel(uvec2 position)
{
    return texelFetch(source, ivec3(position, 0), 0);
}

// Get the colour 0xRRGGBB of a texel. With TABLE it is the middle of a bin of 4x4x4 colours.
uint color_of_texel(vec4 texel, uvec2 position)
{
    const uvec3 codes = uvec3(source_codes(texel.rgb, position));
    const uint color = codes.r << 16 | codes.g << 8 | codes.b;
    return TABLE ? color & 0xfcfcfcu | 0x020202u : color;
}
