// SPDX-License-Identifier: MIT
// What weir_capture_frame() costs the render thread: the time of each call.
#ifndef SAMPLE_COSTS_H
#define SAMPLE_COSTS_H

#include <stdint.h>

#define COSTS_MAX_CALLS (1u << 18)

// Zero to begin with. New calls overwrite the oldest ones.
struct costs {
    uint32_t wall[COSTS_MAX_CALLS], cpu[COSTS_MAX_CALLS]; // [ns]
    uint64_t num_calls;
};

// Call both around what is measured, the first with the times that the second takes.
struct costs_times {
    int64_t wall, cpu; // [ns]
};
struct costs_times costs_begin(void);
void costs_end(struct costs *costs, struct costs_times begin);

// Print median, 99.9 % and most. Nothing where nothing was measured.
void costs_print(struct costs *costs);

#endif
