// SPDX-License-Identifier: MIT
// Statistics: a few threads count, any thread reads a consistent snapshot, nobody waits. The log of
// drops says which frames were dropped, in one line a second at most.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <weir/capture.h>
#include <weir/log.h>

enum { WEIR_NUM_DROP_REASONS_USED = WEIR_DROP_DEVICE + 1 };

// A count is a member of struct weir_capture_stats, which all have 64 bits: WEIR_COUNT(received).
// Qualities are in millionths: `mean_db` is the sum over frames, `least` the most that one lacked
// to 100. Sums and what is in flight are not counted.
#define WEIR_COUNT(member) (offsetof(struct weir_capture_stats, member) / sizeof(uint64_t))
enum { WEIR_NUM_COUNTS = sizeof(struct weir_capture_stats) / sizeof(uint64_t) };

// The counts of one thread. `version` is odd while they are being changed.
struct weir_counts {
    _Atomic uint64_t version;
    _Atomic uint64_t values[WEIR_NUM_COUNTS];
};

struct weir_stats {
    struct weir_counts render, writer, replay;
    struct weir_counts audio[WEIR_MAX_AUDIO_TRACKS]; // of those who hand over audio
    uint32_t num_audio;
};

// Begin and end a change of a thread's own counts. A snapshot has all of the change or none of it.
void weir_counts_begin(struct weir_counts *counts);
void weir_counts_end(struct weir_counts *counts);
void weir_counts_add(struct weir_counts *counts, size_t count, uint64_t value);
void weir_counts_set(struct weir_counts *counts, size_t count, uint64_t value);
void weir_counts_raise(struct weir_counts *counts, size_t count, uint64_t value);

// Change one count, and no other.
void weir_counts_change(struct weir_counts *counts, size_t count, uint64_t value);

// Get all counts as of one instant. Thread safety: any thread.
struct weir_capture_stats weir_stats_snapshot(const struct weir_stats *stats);

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
