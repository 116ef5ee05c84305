// SPDX-License-Identifier: MIT
// Forgets the new colours of the last run, so that their bins can count again.
//
// An invocation takes every NUM_INVOCATIONS-th colour. A workgroup is 256 invocations. No shared
// memory.

#include "palette/constants.h"

layout(local_size_x = WEIR_PALETTE_GROUP_SIZE) in;

#include "palette/memory.glsl"

void main()
{
    const uint num_colors = min(control.num_colors, push.max_colors);
    for (uint i = gl_GlobalInvocationID.x; i < num_colors; i += NUM_INVOCATIONS) {
        bins[colors[i]] = 0u;
    }
}
