// SPDX-License-Identifier: MIT
// Statistics: a few threads count, any thread reads a consistent snapshot, nobody waits. The log of
// drops.
//
// A sequence lock each, after H.-J. Boehm, "Can seqlocks get along with programming language memory
// models?" (MSPC 2012), with ordered loads and stores in place of fences: a reader that sees a new
// value also sees the odd version stored before it.
#include "capture/stream/stats.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "capture/stream/clock/clock.h"

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

#define INTERVAL_NS 1000000000u

// The log of drops.

static const char *const reasons[WEIR_NUM_DROP_REASONS_USED] = {
    [WEIR_DROP_RING_FULL] = "every slot is in use: the disk, the compression or the GPU is behind",
    [WEIR_DROP_TIME] = "its time is not after that of the last one, or too late after it",
    [WEIR_DROP_SINK] = "writing failed",
    [WEIR_DROP_DEVICE] = "the GPU failed",
};

static void log_one(const struct weir_log *log, enum weir_drop_reason reason, uint64_t number,
                    uint64_t time_ns)
{
    weir_log_printf(log, WEIR_LOG_WARNING, WEIR_LOG_CODE_FRAME_DROPPED,
                    "frame %" PRIu64 " at " WEIR_SECONDS_FORMAT " was dropped: %s", number,
                    WEIR_SECONDS(time_ns), reasons[reason]);
}

static void log_many(const struct weir_log *log, const uint64_t *news, uint64_t num_news,
                     const struct weir_capture_stats *stats, uint64_t time_ns)
{
    char list[384] = "";
    size_t length = 0;
    for (int i = 0; i < WEIR_NUM_DROP_REASONS_USED; i++) {
        if (news[i] > 0) {
            length += (size_t)snprintf(list + length, sizeof(list) - length, "%s%" PRIu64 ", %s",
                                       length > 0 ? "; " : "", news[i], reasons[i]);
        }
    }
    char by[32] = ""; // where no frame has a time yet
    if (time_ns > 0) {
        snprintf(by, sizeof(by), " by " WEIR_SECONDS_FORMAT, WEIR_SECONDS(time_ns));
    }
    weir_log_printf(log, WEIR_LOG_WARNING, WEIR_LOG_CODE_FRAME_DROPPED,
                    "%" PRIu64 " more dropped%s, %" PRIu64 " of %" PRIu64 " frames so far: %s",
                    num_news, by, stats->dropped, stats->received, list);
}

// Log the drops that are in no line yet. `number` is that of a dropped frame, or NULL.
static void log_new(struct weir_drop_log *drops, const uint64_t *number, uint64_t time_ns,
                    uint64_t now_ns)
{
    const struct weir_capture_stats stats = weir_stats_snapshot(drops->stats);
    uint64_t news[WEIR_NUM_DROP_REASONS_USED], num_news = 0;
    enum weir_drop_reason reason = WEIR_DROP_RING_FULL;
    for (int i = 0; i < WEIR_NUM_DROP_REASONS_USED; i++) {
        news[i] = stats.dropped_by_reason[i] - drops->logged[i];
        reason = news[i] > 0 ? (enum weir_drop_reason)i : reason;
        num_news += news[i];
        drops->logged[i] = stats.dropped_by_reason[i];
    }
    if (num_news == 0) {
        return;
    }
    atomic_store(&drops->logged_ns, now_ns);
    if (number && num_news == 1) {
        log_one(drops->log, reason, *number, time_ns);
    } else {
        log_many(drops->log, news, num_news, &stats, time_ns);
    }
}

// Log unless the other thread does so now: what it misses is in the next line.
static void log_if_due(struct weir_drop_log *drops, const uint64_t *number, uint64_t time_ns,
                       uint64_t now_ns)
{
    if (weir_drop_log_is_due(drops, now_ns) && !atomic_exchange(&drops->is_busy, true)) {
        if (weir_drop_log_is_due(drops, now_ns)) {
            log_new(drops, number, time_ns, now_ns);
        }
        atomic_store(&drops->is_busy, false);
    }
}

bool weir_drop_log_is_due(struct weir_drop_log *drops, uint64_t now_ns)
{
    const uint64_t logged_ns = atomic_load(&drops->logged_ns);
    return logged_ns == 0 || (now_ns > logged_ns && now_ns - logged_ns >= INTERVAL_NS);
}

void weir_drop_log_dropped(struct weir_drop_log *drops, uint64_t number, uint64_t time_ns,
                           uint64_t now_ns)
{
    log_if_due(drops, &number, time_ns, now_ns);
}

void weir_drop_log_update(struct weir_drop_log *drops, uint64_t time_ns, uint64_t now_ns)
{
    if (atomic_load(&drops->logged_ns) > 0) { // else nothing was dropped
        log_if_due(drops, NULL, time_ns, now_ns);
    }
}

void weir_drop_log_finish(struct weir_drop_log *drops, uint64_t time_ns)
{
    log_new(drops, NULL, time_ns, UINT64_MAX);
}
