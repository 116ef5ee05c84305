// SPDX-License-Identifier: MIT
// The second half of the prefix sums over points.
//
// An invocation takes a run of neighbours. A workgroup is 256 invocations. 8 KiB of shared memory.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "palette/constants.h"

layout(local_size_x = WEIR_PALETTE_GROUP_SIZE) in;

#include "palette/points.glsl"

void main()
{
    if (has_elements()) {
        store_sums();
    }
}
