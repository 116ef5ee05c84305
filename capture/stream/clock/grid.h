// SPDX-License-Identifier: MIT
// The grid: the times of a movie of constant rate, one a frame, and which frames come first there.
#ifndef WEIR_CAPTURE_STREAM_CLOCK_GRID_H
#define WEIR_CAPTURE_STREAM_CLOCK_GRID_H

#include <stdbool.h>
#include <stdint.h>

// A point every ticks_per_frame, from 0 on. Set the first two and zero the rest.
struct weir_grid {
    uint32_t ticks_per_second;
    uint32_t ticks_per_frame; // 0: there is no grid, every frame keeps its time
    uint64_t next;            // the first point that has no frame
};

// True if no frame was put on the point that is nearest to a time since the first frame, or behind
// it.
bool weir_grid_takes(const struct weir_grid *grid, uint64_t time_ns);

// Put a frame there. Returns the time of the point, rounded to nanoseconds.
uint64_t weir_grid_put(struct weir_grid *grid, uint64_t time_ns);

#endif
