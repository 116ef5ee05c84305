// SPDX-License-Identifier: MIT
// Counts the points of each cell, and gives each point its place in its cell.
//
// Over colours: palette/each.glsl. No shared memory.

#include "palette/each.glsl"
#include "palette/ends.glsl"
#include "palette/grid.glsl"

void main()
{
    const Grid grid = load_grid();
    for (uint i = gl_GlobalInvocationID.x; i < control.num_points; i += NUM_INVOCATIONS) {
        const uint cell = cell_of(grid, point_of_end(notes[i].end));
        notes[i].cell = cell;
        notes[i].place = atomicAdd(cells[cell], 1u);
    }
}
