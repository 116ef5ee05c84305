// SPDX-License-Identifier: MIT
// The bindings and constants of the kernels of block formats for textures: src/encode/encoder.c.
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_samplerless_texture_functions : require

#include "encode/constants.h"
#include "encode/effort.glsl"

layout(local_size_x = WEIR_ENCODE_GROUP_WIDTH, local_size_y = WEIR_ENCODE_GROUP_HEIGHT) in;

layout(constant_id = WEIR_ENCODE_CONSTANT_SOURCE_KIND) const uint SOURCE_KIND = 0u;
layout(constant_id = WEIR_ENCODE_CONSTANT_FFMPEG_MODEL) const bool FFMPEG_MODEL = false;
layout(constant_id = WEIR_ENCODE_CONSTANT_DITHER) const bool DITHER = true;

layout(set = WEIR_ENCODE_SET_BUFFER, binding = 0, std430) writeonly buffer Blocks {
    uvec2 blocks[];
} destination;

#include "encode/region.glsl"
#ifdef STEADY
#define HISTORY_BLOCK uvec2
#include "encode/steady.glsl"
#endif
#include "color/source.glsl"

// Get the codes of texel `i` of a block, row-major.
ivec4 fetch_codes(uvec2 block, uint i)
{
    const uvec2 position = texel_position(block, i);
    const vec4 texel = fetch_texel(position);
    return ivec4(source_codes(texel.rgb, position), source_alpha(texel.a));
}

// Get the code nearest to a channel of a texel, without dither, as a float without a fraction.
float nearest_code(float x)
{
    if (SOURCE_KIND == WEIR_SOURCE_CODES8) {
        return source_codes(vec3(x), uvec2(0u)).x;
    }
    return float(channel_fine(x) + 512u >> 10);
}

// Get a channel of texel `i` of a block, row-major, in 1/1024 of a code, before dither.
uint fetch_fine(uvec2 block, uint i, uint channel)
{
    return channel_fine(fetch_texel(texel_position(block, i))[channel]);
}
