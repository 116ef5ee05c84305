// SPDX-License-Identifier: MIT
// Statistics: two threads count, any thread reads a consistent snapshot, nobody waits.
//
// A sequence lock each, after H.-J. Boehm, "Can seqlocks get along with programming language memory
// models?" (MSPC 2012), with ordered loads and stores in place of fences: a reader that sees a new
// value also sees the odd version stored before it.
#include "capture/stream/stats.h"

#include <stdbool.h>

void weir_counts_begin(struct weir_counts *counts)
{
    const uint64_t version = atomic_load_explicit(&counts->version, memory_order_relaxed);
    atomic_store_explicit(&counts->version, version + 1, memory_order_relaxed);
}

void weir_counts_end(struct weir_counts *counts)
{
    const uint64_t version = atomic_load_explicit(&counts->version, memory_order_relaxed);
    atomic_store_explicit(&counts->version, version + 1, memory_order_release);
}

void weir_counts_add(struct weir_counts *counts, enum weir_count count, uint64_t value)
{
    _Atomic uint64_t *place = &counts->values[count];
    const uint64_t before = atomic_load_explicit(place, memory_order_relaxed);
    atomic_store_explicit(place, before + value, memory_order_release);
}

void weir_counts_raise(struct weir_counts *counts, enum weir_count count, uint64_t value)
{
    _Atomic uint64_t *place = &counts->values[count];
    if (atomic_load_explicit(place, memory_order_relaxed) < value) {
        atomic_store_explicit(place, value, memory_order_release);
    }
}

static uint64_t version_of(const struct weir_counts *counts)
{
    return atomic_load_explicit(&counts->version, memory_order_acquire);
}

// Both versions are even and unchanged over the whole reading. The readings of the two threads'
// counts overlap, so at one instant the counts had all these values.
static bool read_both(const struct weir_stats *stats, uint64_t *values)
{
    const uint64_t render = version_of(&stats->render), writer = version_of(&stats->writer);
    for (int i = 0; i < WEIR_NUM_COUNTS; i++) {
        values[i] = atomic_load_explicit(&stats->render.values[i], memory_order_acquire) +
                    atomic_load_explicit(&stats->writer.values[i], memory_order_acquire);
    }
    return (render | writer) % 2 == 0 && render == version_of(&stats->render) &&
           writer == version_of(&stats->writer);
}

struct weir_capture_stats weir_stats_snapshot(const struct weir_stats *stats)
{
    uint64_t values[WEIR_NUM_COUNTS];
    while (!read_both(stats, values)) {
    }
    struct weir_capture_stats snapshot = {
        .received = values[WEIR_COUNT_RECEIVED],
        .written = values[WEIR_COUNT_WRITTEN],
        .bytes = values[WEIR_COUNT_BYTES],
        .gpu_ns = values[WEIR_COUNT_GPU_NS],
        .host_ns = values[WEIR_COUNT_HOST_NS],
        .host_max_ns = values[WEIR_COUNT_HOST_MAX_NS],
        .wait_ns = values[WEIR_COUNT_WAIT_NS],
        .skipped = values[WEIR_COUNT_SKIPPED],
    };
    for (int i = 0; i < WEIR_NUM_DROP_REASONS_USED; i++) {
        snapshot.dropped_by_reason[i] = values[WEIR_COUNT_DROPPED + i];
        snapshot.dropped += snapshot.dropped_by_reason[i];
    }
    snapshot.in_flight = snapshot.received - snapshot.written - snapshot.dropped - snapshot.skipped;
    return snapshot;
}
