// SPDX-License-Identifier: MIT
// Saves a replay: checks the call, and hands it to the sink that keeps the memory.
#include <weir/capture.h>

#include "capture/stream/state.h"

enum weir_result weir_capture_save_replay(weir_capture *capture, const char *path)
{
    if (!capture) {
        return WEIR_ERROR_INVALID;
    }
    if (!path || !path[0]) {
        return weir_fail(&capture->log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_NULL_ARGUMENT,
                         "weir_capture_save_replay: path is required");
    }
    if (!capture->replay) {
        return weir_fail(&capture->log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE,
                         "weir_capture_save_replay: this capture keeps none; open it with "
                         "weir_capture_params.replay.length_ms");
    }
    return weir_replay_save(capture->replay, path);
}
