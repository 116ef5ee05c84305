// SPDX-License-Identifier: MIT
// Writes the new colour of each pixel of an image to another.
//
// An invocation maps one pixel. A workgroup is 32x8 pixels. No shared memory. Requires
// shaderStorageImageWriteWithoutFormat.

#include "palette/constants.h"

layout(local_size_x = WEIR_PALETTE_TILE_WIDTH, local_size_y = WEIR_PALETTE_TILE_HEIGHT) in;

#include "palette/pixel.glsl"

layout(set = WEIR_PALETTE_SET_OUTPUT, binding = 0) writeonly uniform image2D new_image;

void main()
{
    const uvec2 position = gl_GlobalInvocationID.xy;
    if (any(greaterThanEqual(position, push.size))) {
        return;
    }
    const vec4 texel = fetch_texel(position);
    const uint alpha = source_alpha(texel.a);
    vec3 codes = source_codes(texel.rgb, position);
    if (alpha > 0u && control.overflow == 0u) {
        const uint color = bins[color_of_texel(texel, position)];
        codes = vec3(color >> 16, color >> 8 & 255u, color & 255u);
    }
    imageStore(new_image, ivec2(position), vec4(codes, alpha) / 255.0);
}
