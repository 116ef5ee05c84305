// SPDX-License-Identifier: MIT
// Sorts points by cell, and sets the end of each trajectory to its start, where it is until a
// dispatch moves it.
//
// Over colours: palette/each.glsl. No shared memory.

#include "palette/each.glsl"
#include "palette/ends.glsl"
#include "palette/grid.glsl"

layout(constant_id = WEIR_PALETTE_CONSTANT_FREQUENCY) const bool FREQUENCY = false;

void main()
{
    const Grid grid = load_grid();
    for (uint i = gl_GlobalInvocationID.x; i < control.num_points; i += NUM_INVOCATIONS) {
        const Note note = notes[i];
        const uint place = cells[note.cell] + note.place;
        points[place] = pack_in_column(grid, point_of_end(note.end));
        ends[place] = note.end;
        order[place] = colors[i];
        if (FREQUENCY) {
            weights[place] = counts[i];
        }
    }
}
