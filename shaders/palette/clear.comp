// SPDX-License-Identifier: MIT
// Empties the cells of the grid and the table of states.
//
// An invocation takes every NUM_INVOCATIONS-th cell and slot. A workgroup is 256 invocations. No
// shared memory.

#include "palette/constants.h"

layout(local_size_x = WEIR_PALETTE_GROUP_SIZE) in;

#include "palette/memory.glsl"

void main()
{
    for (uint i = gl_GlobalInvocationID.x; i <= control.num_cells; i += NUM_INVOCATIONS) {
        cells[i] = 0u;
    }
    for (uint i = gl_GlobalInvocationID.x; i < control.num_states; i += NUM_INVOCATIONS) {
        states[i] = uint64_t(0);
    }
}
