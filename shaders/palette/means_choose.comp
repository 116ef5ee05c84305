// SPDX-License-Identifier: MIT
// Makes the palette of k-means: the colours of the means, sorted, and where these colours lie.
//
// An invocation takes a cluster. One workgroup of 256. 1 KiB of shared memory.

#include "palette/constants.h"

layout(local_size_x = WEIR_PALETTE_MAX_MEANS) in;

#include "palette/memory.glsl"
#include "palette/lattice.glsl"
#include "palette/means.glsl"
#include "palette/means_points.glsl"

shared uint found[WEIR_PALETTE_MAX_MEANS];

void main()
{
    const uint k = gl_LocalInvocationIndex;
    const uvec4 mean = means.points[k];
    const uint color = means.is_whole != 0u ? mean.w : color_of_mean(mean.xyz);
    found[k] = color;
    barrier();
    if (k < means.num) {
        uint rank = 0u;
        for (uint j = 0u; j < means.num; j++) {
            rank += found[j] < color || (found[j] == color && j < k) ? 1u : 0u;
        }
        means.points[rank] = uvec4(mean_of_color(color), color);
    }
}
