// SPDX-License-Identifier: MIT
// Maps a frame of a palette that follows from frame to frame: writes each pixel in the colour that
// is nearest to the middle of its bin.
//
// An invocation maps eight pixels, for whose texels it waits at once. A workgroup is 32x64 pixels.
// No shared memory. Requires shaderStorageImageWriteWithoutFormat.

#include "palette/constants.h"

layout(local_size_x = WEIR_PALETTE_TILE_WIDTH, local_size_y = WEIR_PALETTE_TILE_HEIGHT) in;

#include "palette/pixel.glsl"
#define NEAREST_ACCESS readonly
#include "palette/live.glsl"

layout(set = WEIR_PALETTE_SET_OUTPUT, binding = 0) writeonly uniform image2D new_image;

const uint NUM = WEIR_PALETTE_LIVE_TILES;

void main()
{
    const uvec2 first = uvec2(gl_GlobalInvocationID.x,
                              NUM * WEIR_PALETTE_TILE_HEIGHT * gl_WorkGroupID.y +
                                  gl_LocalInvocationID.y);
    const uvec2 below = uvec2(0u, WEIR_PALETTE_TILE_HEIGHT);
    vec4 texels[NUM];
    for (uint i = 0u; i < NUM; i++) {
        texels[i] = fetch_texel(min(first + i * below, push.size - 1u));
    }
    uint found[NUM];
    for (uint i = 0u; i < NUM; i++) {
        const uvec3 codes = uvec3(source_codes(texels[i].rgb, first + i * below));
        found[i] = nearest[bin_at(codes >> 2)];
    }
    for (uint i = 0u; i < NUM; i++) {
        const uvec2 position = first + i * below;
        const uint alpha = source_alpha(texels[i].a);
        const vec3 codes = alpha > 0u ? vec3(codes_of(found[i]))
                                      : source_codes(texels[i].rgb, position);
        if (all(lessThan(position, push.size))) {
            imageStore(new_image, ivec2(position), vec4(codes, alpha) / 255.0);
        }
    }
}
