// SPDX-License-Identifier: MIT
// Where points lie in the grid.

// The corner of the grid with the smallest coordinates.
ivec3 grid_origin()
{
    return ivec3(~uvec3(control.inverted_low[0], control.inverted_low[1], control.inverted_low[2]));
}

// The first cell of a column.
uint column_of(uvec2 ab)
{
    return (ab.x * control.cells_b + ab.y) * control.cells_l;
}

uint cell_of(ivec3 point)
{
    const uvec3 place = uvec3(point - grid_origin());
    return column_of(place.yz >> control.shift_ab) + (place.x >> control.shift_l);
}
