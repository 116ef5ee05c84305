// SPDX-License-Identifier: MIT
// Statistics: a few threads count, any thread reads a consistent snapshot, nobody waits.
//
// A sequence lock each, after H.-J. Boehm, "Can seqlocks get along with programming language memory
// models?" (MSPC 2012), with ordered loads and stores in place of fences: a reader that sees a new
// value also sees the odd version stored before it.
#include "capture/stream/stats.h"

#include <stdbool.h>

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

void weir_counts_add(struct weir_counts *counts, enum weir_count count, uint64_t value)
{
    _Atomic uint64_t *place = &counts->values[count];
    const uint64_t before = atomic_load_explicit(place, memory_order_relaxed);
    atomic_store_explicit(place, before + value, memory_order_release);
}

void weir_counts_set(struct weir_counts *counts, enum weir_count count, uint64_t value)
{
    atomic_store_explicit(&counts->values[count], value, memory_order_release);
}

void weir_counts_raise(struct weir_counts *counts, enum weir_count count, uint64_t value)
{
    _Atomic uint64_t *place = &counts->values[count];
    if (atomic_load_explicit(place, memory_order_relaxed) < value) {
        atomic_store_explicit(place, value, memory_order_release);
    }
}

void weir_counts_change(struct weir_counts *counts, enum weir_count count, uint64_t value)
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
    for (int value = 0; value < WEIR_NUM_COUNTS; value++) {
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

static struct weir_audio_stats audio_of(const uint64_t *values)
{
    struct weir_audio_stats audio = {
        .received = values[WEIR_COUNT_AUDIO_RECEIVED],
        .written = values[WEIR_COUNT_AUDIO_WRITTEN],
        .silence = values[WEIR_COUNT_AUDIO_SILENCE],
    };
    for (int i = 0; i < WEIR_NUM_AUDIO_DROP_REASONS_USED; i++) {
        audio.dropped_by_reason[i] = values[WEIR_COUNT_AUDIO_DROPPED + i];
        audio.dropped += audio.dropped_by_reason[i];
    }
    audio.in_flight = audio.received + audio.silence - audio.written - audio.dropped;
    return audio;
}

static struct weir_quality_stats quality_of(const uint64_t *values)
{
    const uint64_t num = values[WEIR_COUNT_QUALITY_FRAMES];
    if (num == 0) {
        return (struct weir_quality_stats){0};
    }
    return (struct weir_quality_stats){
        .frames = num,
        .mean_db = (double)values[WEIR_COUNT_QUALITY_DB] / MILLION / (double)num,
        .last = (double)values[WEIR_COUNT_QUALITY_LAST] / MILLION,
        .least = 100 - (double)values[WEIR_COUNT_QUALITY_LOST] / MILLION,
        .most = (double)values[WEIR_COUNT_QUALITY_MOST] / MILLION,
        .rate_short = values[WEIR_COUNT_RATE_SHORT],
        .rate_over = values[WEIR_COUNT_RATE_OVER],
    };
}

struct weir_capture_stats weir_stats_snapshot(const struct weir_stats *stats)
{
    uint64_t values[WEIR_NUM_COUNTS];
    while (!read_all(stats, values)) {
    }
    struct weir_capture_stats snapshot = {
        .received = values[WEIR_COUNT_RECEIVED],
        .written = values[WEIR_COUNT_WRITTEN],
        .repeated = values[WEIR_COUNT_REPEATED],
        .bytes = values[WEIR_COUNT_BYTES],
        .gpu_ns = values[WEIR_COUNT_GPU_NS],
        .host_ns = values[WEIR_COUNT_HOST_NS],
        .host_max_ns = values[WEIR_COUNT_HOST_MAX_NS],
        .wait_ns = values[WEIR_COUNT_WAIT_NS],
        .skipped = values[WEIR_COUNT_SKIPPED],
        .pack_ns = values[WEIR_COUNT_PACK_NS],
        .write_ns = values[WEIR_COUNT_WRITE_NS],
        .replay = {.written = values[WEIR_COUNT_REPLAYS_WRITTEN],
                   .failed = values[WEIR_COUNT_REPLAYS_FAILED],
                   .missed = values[WEIR_COUNT_REPLAY_MISSED]},
        .segments = values[WEIR_COUNT_SEGMENTS],
        .quality = quality_of(values),
        .audio = audio_of(values),
    };
    for (int i = 0; i < WEIR_NUM_DROP_REASONS_USED; i++) {
        snapshot.dropped_by_reason[i] = values[WEIR_COUNT_DROPPED + i];
        snapshot.dropped += snapshot.dropped_by_reason[i];
    }
    snapshot.in_flight = snapshot.received - snapshot.written - snapshot.dropped - snapshot.skipped;
    return snapshot;
}
