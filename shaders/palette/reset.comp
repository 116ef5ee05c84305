// SPDX-License-Identifier: MIT
// Forgets the new colours of the last run, so that their bins can count again.
//
// Over colours: palette/each.glsl. No shared memory.

#include "palette/each.glsl"

void main()
{
    const uint num_colors = min(control.num_colors, push.max_colors);
    for (uint i = gl_GlobalInvocationID.x; i < num_colors; i += NUM_INVOCATIONS) {
        bins[colors[i]] = 0u;
    }
}
