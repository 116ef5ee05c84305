// SPDX-License-Identifier: MIT
// Gives every colour the nearest of the palette of k-means, and counts those that are in use. For
// dither it gives the mixture of two that comes near: means_mix.glsl.
//
// Over colours: palette/each.glsl. No shared memory.

#include "palette/each.glsl"
#include "palette/means.glsl"
#include "palette/means_mix.glsl"
#include "palette/new_color.glsl"

layout(constant_id = WEIR_PALETTE_CONSTANT_PATTERN) const uint PATTERN = WEIR_PALETTE_UNDITHERED;

void main()
{
    for (uint i = gl_GlobalInvocationID.x; i < control.num_points; i += NUM_INVOCATIONS) {
        if (means.is_whole != 0u) {
            bins[colors[i]] = colors[i];
            count_new_color(colors[i]);
            continue;
        }
        const uvec3 point = unpack_mean(points[i]);
        const uint best = nearest_mean(point, means.num);
        count_new_color(means.points[best].w);
        if (PATTERN == WEIR_PALETTE_UNDITHERED) {
            bins[colors[i]] = means.points[best].w;
        } else {
            const uint mixture = mix_of(point, best);
            bins[colors[i]] = mixture;
            count_new_color(means.points[mixture >> 8 & 255u].w);
        }
    }
}
