// SPDX-License-Identifier: MIT
// The grid of cells, the cell in which a point lies, and a point as it is kept there.

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

// Get the corner of a column with the smallest a and b.
ivec2 corner_of(Grid grid, uvec2 ab)
{
    return grid.origin.yz + ivec2(ab << grid.shift_ab);
}

// A point in 64 bits: 26 of L, and of a and b 19 each, which are how far the point is from the
// corner of its column.
uint64_t pack_in_column(Grid grid, ivec3 point)
{
    const uvec2 ab = uvec2(point.yz - grid.origin.yz) & (1u << grid.shift_ab) - 1u;
    return uint64_t(uint(point.x)) << 2 * WEIR_PALETTE_MAX_CELL_BITS |
           uint64_t(ab.x) << WEIR_PALETTE_MAX_CELL_BITS | uint64_t(ab.y);
}

uvec3 unpack_in_column(uint64_t point)
{
    const uint mask = (1u << WEIR_PALETTE_MAX_CELL_BITS) - 1u;
    return uvec3(uint(point >> 2 * WEIR_PALETTE_MAX_CELL_BITS),
                 uint(point >> WEIR_PALETTE_MAX_CELL_BITS) & mask, uint(point) & mask);
}
