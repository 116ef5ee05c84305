// SPDX-License-Identifier: MIT
// Counts the points of each cell, and gives each point its place in its cell.
//
// An invocation takes every NUM_INVOCATIONS-th colour. A workgroup is 256 invocations. No shared
// memory.

#include "palette/constants.h"

layout(local_size_x = WEIR_PALETTE_GROUP_SIZE) in;

#include "palette/memory.glsl"
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
