// SPDX-License-Identifier: MIT
// The log of a sound track: says which samples were dropped, in one line a second at most.
#include "capture/stream/audio/log.h"

#include <inttypes.h>

#define INTERVAL_NS 1000000000u

void weir_audio_log_lost(struct weir_audio_log *log, uint64_t num_samples, int64_t time_ns,
                         uint64_t now_ns)
{
    log->num_lost += num_samples;
    if (log->told_ns > 0 && now_ns - log->told_ns < INTERVAL_NS) {
        return;
    }
    weir_log_printf(log->log, WEIR_LOG_WARNING, WEIR_LOG_CODE_AUDIO_DROPPED,
                    "sound track %" PRIu32 ": %" PRIu64 " samples %s at time_ns %" PRId64
                    ", %" PRIu64 " so far: %s",
                    log->track, log->num_lost - log->num_told, log->loss.what, time_ns,
                    log->num_lost, log->loss.why);
    log->num_told = log->num_lost;
    log->told_ns = now_ns;
}

void weir_audio_log_finish(struct weir_audio_log *log)
{
    if (log->num_lost > log->num_told) {
        weir_log_printf(log->log, WEIR_LOG_WARNING, WEIR_LOG_CODE_AUDIO_DROPPED,
                        "sound track %" PRIu32 ": %" PRIu64 " more samples %s, %" PRIu64
                        " in all: %s",
                        log->track, log->num_lost - log->num_told, log->loss.what, log->num_lost,
                        log->loss.why);
        log->num_told = log->num_lost;
    }
}
