// SPDX-License-Identifier: MIT
// Follows the load of a capture under WEIR_POLICY_DEGRADE: carries out what the steps decide, tells
// and counts it.
#include <inttypes.h>

#include "capture/stream/clock/seconds.h"
#include "capture/stream/state.h"

static const struct {
    const char *what;
    enum weir_log_severity severity;
    enum weir_log_code code;
} steps[] = {
    [WEIR_DEGRADE_HALF_RATE] = {"every second frame is skipped: the disk, the compression or the "
                                "GPU is behind",
                                WEIR_LOG_WARNING, WEIR_LOG_CODE_DEGRADED},
    [WEIR_DEGRADE_FULL_RATE] = {"every frame is recorded again", WEIR_LOG_INFO,
                                WEIR_LOG_CODE_RESTORED},
    [WEIR_DEGRADE_RESTORED] = {"compression is as asked for again", WEIR_LOG_INFO,
                               WEIR_LOG_CODE_RESTORED},
    [WEIR_DEGRADE_USELESS] = {"compression is as asked for again: the change made packets no "
                              "cheaper",
                              WEIR_LOG_INFO, WEIR_LOG_CODE_RESTORED},
};

static void tell(const weir_capture *capture, enum weir_degrade_step step, uint64_t time_ns)
{
    const char *what = steps[step].what;
    enum weir_log_severity severity = steps[step].severity;
    enum weir_log_code code = steps[step].code;
    if (step == WEIR_DEGRADE_COMPRESSION) {
        what = capture->degrade.is_compressed
                   ? "frames are compressed by Snappy: the disk is behind"
                   : "frames are stored without Snappy: the compression is behind";
        severity = WEIR_LOG_WARNING;
        code = WEIR_LOG_CODE_DEGRADED;
    }
    weir_log_printf(&capture->log, severity, code,
                    "from frame %" PRIu64 " at " WEIR_SECONDS_FORMAT " on %s", capture->num_frames,
                    WEIR_SECONDS(time_ns), what);
}

// Count the time since the last frame, in which nothing has changed.
static void count_times(weir_capture *capture)
{
    const struct weir_degrade *degrade = &capture->degrade;
    struct weir_counts *counts = &capture->stats.render;
    const uint64_t since_ns = capture->degraded_ns > 0 ? capture->now_ns - capture->degraded_ns : 0;
    capture->degraded_ns = capture->now_ns;
    weir_counts_begin(counts);
    if (degrade->is_compressed != degrade->is_asked) {
        weir_counts_add(counts, WEIR_COUNT_DEGRADE_COMPRESSION_NS, since_ns);
    }
    if (degrade->is_half) {
        weir_counts_add(counts, WEIR_COUNT_HALF_RATE_NS, since_ns);
    }
    weir_counts_end(counts);
}

static void count(weir_capture *capture, enum weir_count what)
{
    weir_counts_change(&capture->stats.render, what, 1);
}

bool weir_capture_degrade(weir_capture *capture, int64_t time_ns)
{
    if (capture->params.policy != WEIR_POLICY_DEGRADE) {
        return true;
    }
    count_times(capture);
    const struct weir_counts *writer = &capture->stats.writer;
    const struct weir_degrade_load load = {
        .now_ns = capture->now_ns,
        .fill = weir_ring_fill(&capture->ring, capture->params.num_slots),
        .num_packets = weir_counts_get(writer, WEIR_COUNT_WRITTEN),
        .pack_ns = weir_counts_get(writer, WEIR_COUNT_PACK_NS),
        .write_ns = weir_counts_get(writer, WEIR_COUNT_WRITE_NS),
    };
    const enum weir_degrade_step step = weir_degrade_update(&capture->degrade, &load);
    if (step != WEIR_DEGRADE_NONE) {
        weir_kinds_set_snappy(&capture->kinds, capture->degrade.is_compressed);
        count(capture, WEIR_COUNT_DEGRADE_CHANGES);
        tell(capture, step, weir_times_in_movie(&capture->times, time_ns));
    }
    return weir_degrade_takes(&capture->degrade);
}

void weir_capture_degrade_pass(weir_capture *capture)
{
    if (capture->degrade.is_half) {
        const bool takes = weir_degrade_takes(&capture->degrade);
        count(capture, takes ? WEIR_COUNT_HALF_RATE_FRAMES : WEIR_COUNT_HALF_RATE_SKIPPED);
    }
    weir_degrade_pass(&capture->degrade);
}
