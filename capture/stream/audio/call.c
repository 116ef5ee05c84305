// SPDX-License-Identifier: MIT
// A call of the host that hands over samples of a sound track, on its way to the writer.
#include "capture/stream/audio/call.h"

#define NS_PER_SECOND 1000000000u

// Get how many samples, from the first on, come before a time.
static uint32_t num_before(const struct weir_audio_call *call, int64_t until_ns, uint64_t rate)
{
    const uint64_t ns = (uint64_t)until_ns - (uint64_t)call->time_ns;
    const uint64_t num = ns / NS_PER_SECOND * rate +
                         (ns % NS_PER_SECOND * rate + NS_PER_SECOND - 1) / NS_PER_SECOND;
    return num < call->num_samples ? (uint32_t)num : call->num_samples;
}

struct weir_audio_call weir_audio_call_split(struct weir_audio_call *call, int64_t until_ns,
                                             uint32_t sample_rate)
{
    struct weir_audio_call part = *call;
    part.num_samples = num_before(call, until_ns, sample_rate);
    call->num_samples -= part.num_samples;
    call->num_missing = 0;
    call->is_rest = true;
    if (call->num_samples > 0) {
        call->time_ns += (int64_t)((uint64_t)part.num_samples * NS_PER_SECOND / sample_rate);
    }
    return part;
}
