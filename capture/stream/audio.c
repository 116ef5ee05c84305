// SPDX-License-Identifier: MIT
// Takes samples of a sound track: checks them, and hands them to the writer.
#include <weir/capture.h>

#include "capture/stream/state.h"

enum weir_result weir_capture_audio(weir_capture *capture, uint32_t track, const void *samples,
                                    uint32_t num_samples, int64_t time_ns)
{
    if (!capture) {
        return WEIR_ERROR_INVALID;
    }
    if (!samples) {
        return weir_fail(&capture->log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_NULL_ARGUMENT,
                         "weir_capture_audio: samples is required");
    }
    if (track >= capture->params.audio.num_tracks) {
        return weir_fail(&capture->log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE,
                         "weir_capture_audio: track %u of %u; they are those of "
                         "weir_capture_params.audio.tracks, numbered from 0",
                         track, capture->params.audio.num_tracks);
    }
    const enum weir_result taken = weir_sound_push(&capture->sound, track, samples, num_samples,
                                                   time_ns);
    const enum weir_result failure = weir_writer_failure(&capture->writer);
    return failure != WEIR_OK ? failure : taken;
}
