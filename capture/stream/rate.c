// SPDX-License-Identifier: MIT
// The quality of each frame of a capture: the one that was asked for, or what a rate leaves it.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "capture/stream/clock/seconds.h"
#include "capture/stream/state.h"

enum weir_result weir_capture_open_rate(weir_capture *capture)
{
    const struct weir_capture_params *params = &capture->params;
    const struct weir_kind *kind = capture->kinds.current;
    if (params->rate.bytes_per_second == 0) {
        return WEIR_OK;
    }
    capture->rate = calloc(1, sizeof(*capture->rate));
    if (!capture->rate) {
        return weir_fail(&capture->log, WEIR_ERROR_OUT_OF_MEMORY, WEIR_LOG_CODE_OUT_OF_MEMORY,
                         "no memory for a rate");
    }
    memset(capture->rate, 0, sizeof(*capture->rate)); // touched before use
    const struct weir_rate_params rate = {
        .rate = (double)params->rate.bytes_per_second,
        .max_quality = params->rate.quality,
        .raw_size = (double)kind->writer.movie.nominal_size,
        .frame_rate = (double)params->timing.frame_rate.num / params->timing.frame_rate.den,
        .fills = params->timing.constant_rate,
        .codec = weir_movie_codec_get_info(params->codec)->textures[0],
    };
    weir_rate_loop_init(capture->rate, &rate, params->num_slots,
                        params->policy == WEIR_POLICY_WAIT);
    return WEIR_OK;
}

// Count the frames that no quality brings to the rate, and tell the first of each kind.
static void follow_ends(weir_capture *capture, uint64_t time_ns)
{
    const struct weir_rate *rate = &capture->rate->control;
    if (rate->is_short) {
        weir_counts_change(&capture->stats.render, WEIR_COUNT_RATE_SHORT, 1);
    }
    if (rate->is_over) {
        weir_counts_change(&capture->stats.render, WEIR_COUNT_RATE_OVER, 1);
    }
    if (rate->is_short && !capture->has_told_short) {
        capture->has_told_short = true;
        weir_log_printf(&capture->log, WEIR_LOG_INFO, WEIR_LOG_CODE_RATE,
                        "at " WEIR_SECONDS_FORMAT " the picture needs less than %" PRIu64
                        " bytes a second at quality %" PRIu32 ", and such parts will have less",
                        WEIR_SECONDS(time_ns), capture->params.rate.bytes_per_second,
                        capture->params.rate.quality);
    }
    if (rate->is_over && !capture->has_told_over) {
        capture->has_told_over = true;
        weir_log_printf(&capture->log, WEIR_LOG_WARNING, WEIR_LOG_CODE_RATE,
                        "at " WEIR_SECONDS_FORMAT " the picture needs more than %" PRIu64
                        " bytes a second even at quality 1, and such parts will have more: record "
                        "fewer frames a second, or smaller ones",
                        WEIR_SECONDS(time_ns), capture->params.rate.bytes_per_second);
    }
}

double weir_capture_choose_quality(weir_capture *capture, const struct weir_kind *kind,
                                   uint64_t time_ns, void *control)
{
    if (!control) {
        return 0;
    }
    double quality = capture->params.rate.quality;
    if (capture->rate) {
        quality = weir_rate_loop_next(capture->rate, time_ns);
        follow_ends(capture, time_ns);
    }
    weir_controls_set_quality(&kind->writer.controls, control, quality);
    return quality;
}

uint64_t weir_capture_note_rate(weir_capture *capture, const struct weir_kind *kind, uint32_t slot)
{
    if (!capture->rate) {
        return 0;
    }
    return kind ? weir_rate_loop_submitted(capture->rate, kind->gpu.readback, slot,
                                           &kind->writer.controls)
                : weir_rate_loop_submitted(capture->rate, NULL, slot, NULL);
}
