// SPDX-License-Identifier: MIT
// The drop log: says which frames were dropped, in one line a second at most.
#ifndef WEIR_CAPTURE_STREAM_DROPS_H
#define WEIR_CAPTURE_STREAM_DROPS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <weir/log.h>

#include "capture/stream/stats.h"

// `stats` and `log` are borrowed. Zero the rest. The thread that submits frames and the writer
// use it beside each other; neither waits for the other.
struct weir_drop_log {
    const struct weir_stats *stats;
    const struct weir_log *log;

    atomic_bool is_busy;
    _Atomic uint64_t logged_ns; // time of the last line, by the clock; 0 before the first
    uint64_t logged[WEIR_NUM_DROP_REASONS_USED]; // drops that lines have named, by reason
};

// True if more than a second has passed since the last line.
bool weir_drop_log_is_due(struct weir_drop_log *drops, uint64_t now_ns);

// Call it after a dropped frame was counted. `time_ns` is the frame's, since the movie's first.
void weir_drop_log_dropped(struct weir_drop_log *drops, uint64_t number, uint64_t time_ns,
                           uint64_t now_ns);

// Call it for every frame: logs the drops of the last second after they have ended.
void weir_drop_log_update(struct weir_drop_log *drops, uint64_t time_ns, uint64_t now_ns);

// Log the rest, whenever the last line was. No other thread may use the log then.
void weir_drop_log_finish(struct weir_drop_log *drops, uint64_t time_ns);

#endif
