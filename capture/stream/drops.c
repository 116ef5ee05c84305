// SPDX-License-Identifier: MIT
// The drop log: says which frames were dropped, in one line a second at most.
#include "capture/stream/drops.h"

#include <inttypes.h>
#include <stdio.h>

#include "capture/stream/clock/ticks.h"

#define INTERVAL_NS 1000000000u

static const char *const reasons[WEIR_NUM_DROP_REASONS_USED] = {
    [WEIR_DROP_RING_FULL] = "every slot is in use: the disk, the compression or the GPU is behind",
    [WEIR_DROP_TIME] = "its time stamp does not follow the last one",
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
    weir_log_printf(log, WEIR_LOG_WARNING, WEIR_LOG_CODE_FRAME_DROPPED,
                    "%" PRIu64 " more dropped by " WEIR_SECONDS_FORMAT ", %" PRIu64 " of %" PRIu64
                    " frames so far: %s",
                    num_news, WEIR_SECONDS(time_ns), stats->dropped, stats->received, list);
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
