// SPDX-License-Identifier: MIT
// Empties the cells of the grid and the table of states.
//
// Over cells and slots: palette/each.glsl. No shared memory.

#include "palette/each.glsl"

void main()
{
    for (uint i = gl_GlobalInvocationID.x; i <= control.num_cells; i += NUM_INVOCATIONS) {
        cells[i] = 0u;
    }
    for (uint i = gl_GlobalInvocationID.x; i < control.num_states; i += NUM_INVOCATIONS) {
        states[i] = uint64_t(0);
    }
}
