// SPDX-License-Identifier: MIT
// A call of the host that hands over samples of a sound track, on its way to the writer.
#ifndef WEIR_CAPTURE_STREAM_AUDIO_CALL_H
#define WEIR_CAPTURE_STREAM_AUDIO_CALL_H

#include <stdbool.h>
#include <stdint.h>

struct weir_audio_call {
    int64_t time_ns;      // of the first sample
    uint32_t num_samples; // above 0
    uint32_t num_missing; // samples before them that found no room
    bool is_rest;         // of the call before it, which found room for a part only
};

// Take the samples before a time, which is after that of the call. What is left in the call are the
// others; it may have none.
struct weir_audio_call weir_audio_call_split(struct weir_audio_call *call, int64_t until_ns,
                                             uint32_t sample_rate);

#endif
