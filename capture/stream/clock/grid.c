// SPDX-License-Identifier: MIT
// The grid: the times of a movie of constant rate, one a frame, and which frames come first there.
#include "capture/stream/clock/grid.h"

#include "capture/stream/clock/ticks.h"

static uint64_t nearest(const struct weir_grid *grid, uint64_t time_ns)
{
    const uint64_t ticks = weir_ticks_from_ns(time_ns, grid->ticks_per_second);
    return (ticks + grid->ticks_per_frame / 2) / grid->ticks_per_frame;
}

bool weir_grid_takes(const struct weir_grid *grid, uint64_t time_ns)
{
    return grid->ticks_per_frame == 0 || nearest(grid, time_ns) >= grid->next;
}

uint64_t weir_grid_put(struct weir_grid *grid, uint64_t time_ns)
{
    if (grid->ticks_per_frame == 0) {
        return time_ns;
    }
    const uint64_t point = nearest(grid, time_ns);
    grid->next = point + 1;
    return weir_ticks_to_ns(point * grid->ticks_per_frame, grid->ticks_per_second);
}
