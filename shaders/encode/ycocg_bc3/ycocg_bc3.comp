// SPDX-License-Identifier: MIT
// Encodes an image as scaled YCoCg in BC3, blocks in rows from the top left.
//
// An invocation encodes one block of 4x4 texels. A workgroup is 4x8 blocks, because all its fetches
// of one step then fall into few cache lines: on an H200 this is 4 to 8 % faster than 8 or more
// blocks side by side. Requires nothing beyond Vulkan 1.2.
//
// STEADY and PROXY: as in bc1.comp.

#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_samplerless_texture_functions : require

#include "encode/constants.h"
#include "encode/effort.glsl"

layout(local_size_x = WEIR_ENCODE_GROUP_WIDTH, local_size_y = WEIR_ENCODE_GROUP_HEIGHT) in;

layout(constant_id = WEIR_ENCODE_CONSTANT_SOURCE_KIND) const uint SOURCE_KIND = 0u;
layout(constant_id = WEIR_ENCODE_CONSTANT_FFMPEG_MODEL) const bool FFMPEG_MODEL = false;
layout(constant_id = WEIR_ENCODE_CONSTANT_DITHER) const bool DITHER = true;

layout(set = WEIR_ENCODE_SET_BUFFER, binding = 0, std430) writeonly buffer Blocks {
    uvec4 blocks[];
} destination;

#include "encode/region.glsl"
#include "color/source.glsl"
#include "encode/ycocg_bc3/ycocg_bc3.glsl"
#ifdef STEADY
#include "encode/ycocg_bc3/steady.glsl"
#endif
#ifdef PROXY
#include "encode/proxy.glsl"
#endif

void main()
{
    const uvec2 block = gl_GlobalInvocationID.xy;
    if (any(greaterThanEqual(4u * block, push.size))) {
        return;
    }
    vec4 texels[16];
    fetch_block(block, texels);
#ifdef PROXY
    write_proxy(block, texels, false);
#endif
    float y[16], co[16], cg[16];
    [[unroll]] for (uint i = 0u; i < 16u; i++) {
        const vec3 rgb = source_codes(texels[i].rgb, texel_position(block, i));
        // Y, Co and Cg are multiplied by 4, 2 and 4.
        y[i] = rgb.r + rgb.b + 2.0 * rgb.g;
        co[i] = rgb.r - rgb.b;
        cg[i] = 4.0 * rgb.g - y[i];
    }
#ifdef STEADY
    const uvec4 code = keep_previous(y, co, cg, history.blocks[history_index(block)],
                                     encode_ycocg_bc3(y, co, cg));
    history.blocks[history_index(block)] = code;
    destination.blocks[block_index(block)] = code;
#else
    destination.blocks[block_index(block)] = encode_ycocg_bc3(y, co, cg);
#endif
}
