// SPDX-License-Identifier: MIT
// Statistics: a few threads count, any thread reads a consistent snapshot, nobody waits.
#ifndef WEIR_CAPTURE_STREAM_STATS_H
#define WEIR_CAPTURE_STREAM_STATS_H

#include <stdatomic.h>
#include <stdint.h>

#include <weir/capture.h>

enum { WEIR_NUM_DROP_REASONS_USED = WEIR_DROP_DEVICE + 1 };
enum { WEIR_NUM_AUDIO_DROP_REASONS_USED = WEIR_AUDIO_DROP_PAUSE + 1 };

enum weir_count {
    WEIR_COUNT_RECEIVED,
    WEIR_COUNT_WRITTEN,
    WEIR_COUNT_REPEATED,
    WEIR_COUNT_BYTES,
    WEIR_COUNT_GPU_NS,
    WEIR_COUNT_HOST_NS,
    WEIR_COUNT_HOST_MAX_NS,
    WEIR_COUNT_WAIT_NS,
    WEIR_COUNT_SKIPPED,
    WEIR_COUNT_PACK_NS,
    WEIR_COUNT_WRITE_NS,
    WEIR_COUNT_REPLAYS_WRITTEN,
    WEIR_COUNT_REPLAYS_FAILED,
    WEIR_COUNT_REPLAY_MISSED,
    WEIR_COUNT_SEGMENTS,
    WEIR_COUNT_QUALITY_FRAMES,
    WEIR_COUNT_QUALITY_DB,   // the sum over frames, in millionths
    WEIR_COUNT_QUALITY_LAST, // in millionths, as the next two
    WEIR_COUNT_QUALITY_MOST,
    WEIR_COUNT_QUALITY_LOST, // the most that was below 100
    WEIR_COUNT_RATE_SHORT,
    WEIR_COUNT_RATE_OVER,
    WEIR_COUNT_DROPPED, // the first of the counts by enum weir_drop_reason
    WEIR_COUNT_AUDIO_RECEIVED = WEIR_COUNT_DROPPED + WEIR_NUM_DROP_REASONS_USED,
    WEIR_COUNT_AUDIO_WRITTEN,
    WEIR_COUNT_AUDIO_SILENCE,
    WEIR_COUNT_AUDIO_DROPPED, // the first of the counts by enum weir_audio_drop_reason
    WEIR_NUM_COUNTS = WEIR_COUNT_AUDIO_DROPPED + WEIR_NUM_AUDIO_DROP_REASONS_USED,
};

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
void weir_counts_add(struct weir_counts *counts, enum weir_count count, uint64_t value);
void weir_counts_set(struct weir_counts *counts, enum weir_count count, uint64_t value);
void weir_counts_raise(struct weir_counts *counts, enum weir_count count, uint64_t value);

// Change one count, and no other.
void weir_counts_change(struct weir_counts *counts, enum weir_count count, uint64_t value);

// Get all counts as of one instant. Thread safety: any thread.
struct weir_capture_stats weir_stats_snapshot(const struct weir_stats *stats);

#endif
