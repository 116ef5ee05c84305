// SPDX-License-Identifier: MIT
// The log of a sound track: says which samples were dropped, in one line a second at most.
#ifndef WEIR_CAPTURE_STREAM_AUDIO_LOG_H
#define WEIR_CAPTURE_STREAM_AUDIO_LOG_H

#include <stdint.h>

#include <weir/log.h>

// What a line tells, and why.
struct weir_audio_loss {
    const char *what; // became of the samples
    const char *why;
};

// For one thread, and losses of one kind. Zero all but the first three.
struct weir_audio_log {
    const struct weir_log *log;
    uint32_t track;
    struct weir_audio_loss loss;

    uint64_t num_told, num_lost;
    uint64_t told_ns; // time of the last line, by the clock; 0 before the first
};

// Count a loss, and tell it unless a line was told in the last second. `time_ns` is that of the
// call, by the host's clock.
void weir_audio_log_lost(struct weir_audio_log *log, uint64_t num_samples, int64_t time_ns,
                         uint64_t now_ns);

// Tell the rest, whenever the last line was.
void weir_audio_log_finish(struct weir_audio_log *log);

#endif
