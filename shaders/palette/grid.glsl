// SPDX-License-Identifier: MIT
// The grid of cells, and the cell in which a point lies.

struct Grid {
    ivec3 origin; // the corner with the smallest coordinates
    uint shift_l, shift_ab;
    uint cells_l, cells_a, cells_b;
};

Grid load_grid()
{
    const uvec3 inverted_low = uvec3(control.inverted_low[0], control.inverted_low[1],
                                     control.inverted_low[2]);
    return Grid(ivec3(~inverted_low), control.shift_l, control.shift_ab, control.cells_l,
                control.cells_a, control.cells_b);
}

// Get the first cell of a column.
uint column_of(Grid grid, uvec2 ab)
{
    return (ab.x * grid.cells_b + ab.y) * grid.cells_l;
}

uint cell_of(Grid grid, ivec3 point)
{
    const uvec3 place = uvec3(point - grid.origin);
    return column_of(grid, place.yz >> grid.shift_ab) + (place.x >> grid.shift_l);
}
