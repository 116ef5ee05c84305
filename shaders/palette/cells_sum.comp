// SPDX-License-Identifier: MIT
// The first half of the prefix sums over cells: the sum of each workgroup's cells.
//
// An invocation takes a run of neighbours. A workgroup is 256 invocations. 1 KiB of shared memory.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "palette/constants.h"

layout(local_size_x = WEIR_PALETTE_GROUP_SIZE) in;

#include "palette/cells.glsl"

void main()
{
    if (has_elements()) {
        save_sum_of_workgroup();
    }
}
