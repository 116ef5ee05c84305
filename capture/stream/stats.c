// SPDX-License-Identifier: MIT
// Statistics: a few threads count, any thread reads a consistent snapshot, nobody waits.
//
// A sequence lock each, after H.-J. Boehm, "Can seqlocks get along with programming language memory
// models?" (MSPC 2012), with ordered loads and stores in place of fences: a reader that sees a new
// value also sees the odd version stored before it.
#include "capture/stream/stats.h"

#include <stdbool.h>
#include <string.h>

#define MILLION 1e6

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

void weir_counts_add(struct weir_counts *counts, size_t count, uint64_t value)
{
    _Atomic uint64_t *place = &counts->values[count];
    const uint64_t before = atomic_load_explicit(place, memory_order_relaxed);
    atomic_store_explicit(place, before + value, memory_order_release);
}

void weir_counts_set(struct weir_counts *counts, size_t count, uint64_t value)
{
    atomic_store_explicit(&counts->values[count], value, memory_order_release);
}

void weir_counts_raise(struct weir_counts *counts, size_t count, uint64_t value)
{
    _Atomic uint64_t *place = &counts->values[count];
    if (atomic_load_explicit(place, memory_order_relaxed) < value) {
        atomic_store_explicit(place, value, memory_order_release);
    }
}

void weir_counts_change(struct weir_counts *counts, size_t count, uint64_t value)
{
    weir_counts_begin(counts);
    weir_counts_add(counts, count, value);
    weir_counts_end(counts);
}

static uint64_t version_of(const struct weir_counts *counts)
{
    return atomic_load_explicit(&counts->version, memory_order_acquire);
}

enum { MAX_THREADS = 3 + WEIR_MAX_AUDIO_TRACKS };

// List the counts of all threads. Returns their number.
static uint32_t list_counts(const struct weir_stats *stats,
                            const struct weir_counts *list[MAX_THREADS])
{
    list[0] = &stats->render;
    list[1] = &stats->writer;
    list[2] = &stats->replay;
    for (uint32_t i = 0; i < stats->num_audio; i++) {
        list[3 + i] = &stats->audio[i];
    }
    return 3 + stats->num_audio;
}

// All versions are even and unchanged over the whole reading. The readings of the threads' counts
// overlap, so at one instant the counts had all these values.
static bool read_all(const struct weir_stats *stats, uint64_t *values)
{
    const struct weir_counts *list[MAX_THREADS];
    uint64_t versions[MAX_THREADS];
    const uint32_t num = list_counts(stats, list);
    bool is_one_instant = true;
    for (uint32_t i = 0; i < num; i++) {
        versions[i] = version_of(list[i]);
    }
    for (size_t value = 0; value < WEIR_NUM_COUNTS; value++) {
        values[value] = 0;
        for (uint32_t i = 0; i < num; i++) {
            values[value] += atomic_load_explicit(&list[i]->values[value], memory_order_acquire);
        }
    }
    for (uint32_t i = 0; i < num; i++) {
        is_one_instant &= versions[i] % 2 == 0 && versions[i] == version_of(list[i]);
    }
    return is_one_instant;
}

static uint64_t sum_of(const uint64_t *values, int num)
{
    uint64_t sum = 0;
    for (int i = 0; i < num; i++) {
        sum += values[i];
    }
    return sum;
}

struct weir_capture_stats weir_stats_snapshot(const struct weir_stats *stats)
{
    uint64_t values[WEIR_NUM_COUNTS];
    struct weir_capture_stats snapshot;
    struct weir_audio_stats *audio = &snapshot.audio;
    struct weir_quality_stats *quality = &snapshot.quality;
    while (!read_all(stats, values)) {
    }
    memcpy(&snapshot, values, sizeof(snapshot));
    snapshot.dropped = sum_of(snapshot.dropped_by_reason, WEIR_MAX_DROP_REASONS);
    snapshot.in_flight = snapshot.received - snapshot.written - snapshot.dropped - snapshot.skipped;
    audio->dropped = sum_of(audio->dropped_by_reason, WEIR_MAX_AUDIO_DROP_REASONS);
    audio->in_flight = audio->received + audio->silence - audio->written - audio->dropped;
    if (quality->frames > 0) {
        quality->mean_db = (double)values[WEIR_COUNT(quality.mean_db)] / MILLION /
                           (double)quality->frames;
        quality->last = (double)values[WEIR_COUNT(quality.last)] / MILLION;
        quality->least = 100 - (double)values[WEIR_COUNT(quality.least)] / MILLION;
        quality->most = (double)values[WEIR_COUNT(quality.most)] / MILLION;
    }
    return snapshot;
}
