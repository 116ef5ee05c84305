// SPDX-License-Identifier: MIT
// Pauses and resumes a capture: checks that each time follows those before it.
#include <weir/capture.h>

#include <inttypes.h>

#include "capture/stream/state.h"

static enum weir_result refuse_state(const weir_capture *capture, const char *call, const char *why)
{
    return weir_fail(&capture->log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_PAUSE_STATE, "%s: %s", call,
                     why);
}

// Check that a time follows the frames that were handed over: they are in the movie, or left out.
static enum weir_result check_time(const weir_capture *capture, const char *call, int64_t time_ns)
{
    if (capture->times.has_last && time_ns <= capture->times.last_ns) {
        return weir_fail(&capture->log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_TIME_NOT_INCREASING,
                         "%s: %" PRId64 " is not after the last frame, which is of %" PRId64
                         "; take the time of the next one",
                         call, time_ns, capture->times.last_ns);
    }
    return WEIR_OK;
}

// Check that a time is not before that of the call before, if there was one.
static enum weir_result check_order(const weir_capture *capture, const char *call, int64_t time_ns)
{
    const struct weir_pauses *pauses = &capture->pauses;
    if (pauses->num == 0) {
        return WEIR_OK;
    }
    const struct weir_pause *last = &pauses->items[pauses->num - 1];
    const int64_t last_ns = pauses->is_open ? last->begin_ns : last->end_ns;
    if (time_ns < last_ns) {
        return weir_fail(&capture->log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_TIME_NOT_INCREASING,
                         "%s: %" PRId64 " is before the last %s, which is of %" PRId64
                         "; take it from a clock that does not go back",
                         call, time_ns, pauses->is_open ? "pause" : "resume", last_ns);
    }
    return WEIR_OK;
}

enum weir_result weir_capture_pause(weir_capture *capture, int64_t time_ns)
{
    static const char call[] = "weir_capture_pause";
    if (!capture) {
        return WEIR_ERROR_INVALID;
    }
    if (capture->pauses.is_open) {
        return refuse_state(capture, call, "the capture is paused already");
    }
    if (check_time(capture, call, time_ns) != WEIR_OK ||
        check_order(capture, call, time_ns) != WEIR_OK) {
        return WEIR_ERROR_INVALID;
    }
    if (!weir_pauses_begin(&capture->pauses, time_ns)) {
        return weir_fail(&capture->log, WEIR_ERROR_OUT_OF_MEMORY, WEIR_LOG_CODE_OUT_OF_MEMORY,
                         "%s: no memory for one more pause; the capture goes on", call);
    }
    return WEIR_OK;
}

enum weir_result weir_capture_resume(weir_capture *capture, int64_t time_ns)
{
    static const char call[] = "weir_capture_resume";
    if (!capture) {
        return WEIR_ERROR_INVALID;
    }
    if (!capture->pauses.is_open) {
        return refuse_state(capture, call, "the capture is not paused");
    }
    if (check_time(capture, call, time_ns) != WEIR_OK ||
        check_order(capture, call, time_ns) != WEIR_OK) {
        return WEIR_ERROR_INVALID;
    }
    weir_pauses_end(&capture->pauses, time_ns);
    return WEIR_OK;
}
