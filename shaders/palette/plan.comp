// SPDX-License-Identifier: MIT
// Plans the grid: cells that suit the radius and the number of colours, no more than there is room
// for.
//
// One invocation. No shared memory.

layout(local_size_x = 1) in;

#include "palette/memory.glsl"

// Reading a column takes as much time as testing some dozens of points, and cells take memory:
// docs/palette.md lists what was tried.
const uint CELLS_ACROSS = 4u; // cells in a radius on a and b: at least this, less than twice this
const uint STEPS_ALONG = 2u;  // cells are shorter along L, by a factor of 2 to this
const uint CELLS_OF_COLOR = 128u, MIN_CELLS = 4096u;
// a colour visits about 10
const uint MIN_STATES = 1u << WEIR_PALETTE_MIN_STATES_LOG2;

uint ceil_power_of_2(uint n)
{
    return n <= 1u ? 1u : 2u << findMSB(n - 1u);
}

uint num_cells_of(uint axis, uint shift)
{
    return ((control.high[axis] - ~control.inverted_low[axis]) >> shift) + 1u;
}

void lay_grid(uint num_colors)
{
    const uint max_cells = min(push.max_cells, max(CELLS_OF_COLOR * num_colors, MIN_CELLS));
    const uint across = max(push.radius / CELLS_ACROSS, 1u);
    uint shift_ab = min(findMSB(across), WEIR_PALETTE_MAX_CELL_BITS);
    uint shift_l = shift_ab - min(shift_ab, STEPS_ALONG);
    while (float(num_cells_of(0u, shift_l)) * float(num_cells_of(1u, shift_ab)) *
           float(num_cells_of(2u, shift_ab)) > float(max_cells)) {
        if (shift_l == shift_ab && shift_ab < WEIR_PALETTE_MAX_CELL_BITS) {
            shift_ab++;
        }
        shift_l++;
    }
    control.shift_l = shift_l;
    control.shift_ab = shift_ab;
    control.cells_l = num_cells_of(0u, shift_l);
    control.cells_a = num_cells_of(1u, shift_ab);
    control.cells_b = num_cells_of(2u, shift_ab);
    control.num_cells = control.cells_l * control.cells_a * control.cells_b;
}

void main()
{
    const bool overflows = control.num_colors > push.max_colors;
    const uint num_points = overflows ? 0u : control.num_colors;
    control.overflow = overflows ? 1u : 0u;
    control.num_points = num_points;
    control.num_unfinished = num_points;
    const uint wanted_states = max(WEIR_PALETTE_STATES_OF_COLOR * num_points, MIN_STATES);
    control.num_states = min(push.max_states, ceil_power_of_2(wanted_states));
    const uint share = max(wanted_states / max(control.num_states, 1u), 1u);
    // Bits of the hash that are not part of a slot's number.
    control.state_mask = (1u << findMSB(share)) - 1u << WEIR_PALETTE_MAX_STATES_LOG2;
    if (num_points > 0u) {
        lay_grid(num_points);
    }
}
