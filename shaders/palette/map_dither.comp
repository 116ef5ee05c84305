// SPDX-License-Identifier: MIT
// Writes each pixel of an image to another in one of the two colours of the palette between which
// its own lies, by a threshold of its place: ordered dither, or that of blue noise (as in
// J. Yliluoma's "arbitrary-palette positional dithering", 2011).
//
// An invocation maps one pixel, and reads the eight around it. A workgroup is 32x8 pixels. No
// shared memory. Requires shaderStorageImageWriteWithoutFormat.

#include "palette/constants.h"

layout(local_size_x = WEIR_PALETTE_TILE_WIDTH, local_size_y = WEIR_PALETTE_TILE_HEIGHT) in;

#include "palette/pixel.glsl"
#include "palette/means.glsl"

layout(constant_id = WEIR_PALETTE_CONSTANT_PATTERN) const uint PATTERN = WEIR_PALETTE_ORDERED;

layout(set = WEIR_PALETTE_SET_OUTPUT, binding = 0) writeonly uniform image2D new_image;

ivec3 codes_of(uint color)
{
    return ivec3(color >> 16, color >> 8 & 255u, color & 255u);
}

uint code_distance(ivec3 a, ivec3 b)
{
    const ivec3 d = a - b;
    return uint(d.x * d.x + d.y * d.y + d.z * d.z);
}

// Get how far the eight pixels around one are from it. Beyond the border lies the pixel of the
// border; one with alpha 0 does not count.
uint activity(ivec2 position, ivec3 center)
{
    uint sum = 0u;
    for (int y = -1; y <= 1; y++) {
        for (int x = -1; x <= 1; x++) {
            const uvec2 near = uvec2(clamp(position + ivec2(x, y), ivec2(0),
                                           ivec2(push.size) - 1));
            const vec4 texel = fetch_texel(near);
            const ivec3 codes = ivec3(source_codes(texel.rgb, near));
            sum += source_alpha(texel.a) > 0u ? code_distance(codes, center) : 0u;
        }
    }
    return sum;
}

// Get 256 where the picture is flat, 0 where it varies by twice the error or more.
uint strength_of(uint activity, uint error)
{
    return 256u - min(8u * activity / error, 256u);
}

// Get the threshold of a place, 0 .. 65536.
uint threshold_of(uvec2 position)
{
    if (PATTERN == WEIR_PALETTE_BLUE_NOISE) {
        const uvec2 place = position % WEIR_PALETTE_NOISE_SIDE;
        const uint i = place.y * WEIR_PALETTE_NOISE_SIDE + place.x;
        return (2u * (noise[i / 2u] >> 16u * (i & 1u) & 65535u) + 1u) * 8u;
    }
    // B. Bayer, "An optimum method for two-level rendition of continuous-tone pictures", 1973.
    uint rank = 0u;
    for (uint i = 0u; i < 3u; i++) {
        const uvec2 bits_of_place = position >> i & 1u;
        rank = 4u * rank + 2u * (bits_of_place.x ^ bits_of_place.y) + bits_of_place.y;
    }
    return (2u * rank + 1u) * 512u;
}

ivec3 dithered(uvec2 position, ivec3 codes, uint mixture)
{
    const uvec4 parts = uvec4(mixture, mixture >> 8, mixture >> 16, 0u) & 255u;
    const ivec3 first = codes_of(means.points[parts.x].w);
    const uint error = code_distance(codes, first);
    if (error == 0u) {
        return first;
    }
    const uint share = parts.z * strength_of(activity(ivec2(position), codes), error);
    return share > threshold_of(position) ? codes_of(means.points[parts.y].w) : first;
}

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
        const uint found = bins[color_of_texel(texel, position)];
        codes = vec3(means.is_whole != 0u ? codes_of(found)
                                          : dithered(position, ivec3(codes), found));
    }
    imageStore(new_image, ivec2(position), vec4(codes, alpha) / 255.0);
}
