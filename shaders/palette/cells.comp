// SPDX-License-Identifier: MIT
// Prefix sums over cells: the number of points of each cell becomes the index of its first point.
// The cell after the last has no points; its index is the end of the last.
//
// An invocation adds up a run of neighbours. A workgroup is 256 invocations. 1 KiB of shared
// memory.
// DISPATCH: which half of the work this is (scan.glsl).

#include "palette/each.glsl"

#define Value uint

uint zero()
{
    return 0u;
}

uint plus(uint a, uint b)
{
    return a + b;
}

uint num_elements()
{
    return control.num_points > 0u ? control.num_cells + 1u : 0u;
}

uint load(uint i)
{
    return cells[i];
}

void store(uint i, uint sum, uint value)
{
    cells[i] = sum;
}

void save_partial(uint group, uint sum)
{
    partials[group].w = sum;
}

uint load_partial(uint group)
{
    return partials[group].w;
}

#include "palette/scan.glsl"
