// SPDX-License-Identifier: MIT
// The callback sink: hands packets to the host program.
#include <stdlib.h>

#include "capture/stream/mux/mux.h"

struct callback {
    struct weir_mux base;
    struct weir_sink_callbacks host;
    struct weir_log log;
    uint32_t ticks_per_frame;
    uint64_t first_ticks;
    bool has_packet;
};

// What the host answered, as a failure of a sink: the device's failures are not its to report.
static enum weir_result check(const struct weir_log *log, const char *name, enum weir_result result)
{
    if (result >= WEIR_OK) {
        return WEIR_OK;
    }
    weir_log_printf(log, WEIR_LOG_ERROR, WEIR_LOG_CODE_WRITE_FAILED,
                    "weir_capture_params.callbacks.%s answered %s: the capture writes nothing more",
                    name, weir_result_name(result));
    return result == WEIR_ERROR_DISK_FULL || result == WEIR_ERROR_OUT_OF_MEMORY ? result
                                                                                : WEIR_ERROR_IO;
}

static enum weir_result open_callback(const struct weir_mux_params *params, struct weir_mux **out)
{
    struct callback *callback = weir_mux_make(sizeof(*callback), &weir_mux_callback, &params->log);
    if (!callback) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    callback->host = params->callbacks;
    callback->log = params->log;
    callback->ticks_per_frame = params->ticks_per_frame;
    if (callback->host.open) {
        const struct weir_capture_track track = weir_mux_track(params);
        const enum weir_result result = check(&params->log, "open",
                                              callback->host.open(callback->host.user, &track));
        if (result != WEIR_OK) {
            free(callback);
            return result;
        }
    }
    *out = &callback->base;
    return WEIR_OK;
}

static enum weir_result write_callback(struct weir_mux *mux, const struct weir_mux_packet *packet)
{
    struct callback *callback = (struct callback *)mux;
    if (!callback->has_packet) {
        callback->has_packet = true;
        callback->first_ticks = packet->ticks;
    }
    const struct weir_capture_packet given = {
        .data = packet->data,
        .size = packet->size,
        .pts = (int64_t)(packet->ticks - callback->first_ticks),
        .duration = callback->ticks_per_frame,
        .time_ns = packet->time_ns,
        .is_key = true,
    };
    return check(&callback->log, "packet", callback->host.packet(callback->host.user, &given));
}

static enum weir_result write_audio_callback(struct weir_mux *mux,
                                             const struct weir_mux_audio *audio)
{
    struct callback *callback = (struct callback *)mux;
    const struct weir_capture_audio_packet given = {
        .track = audio->track,
        .data = audio->data,
        .num_samples = audio->num_samples,
        .size = audio->size,
        .pts = (int64_t)audio->position,
    };
    return check(&callback->log, "audio", callback->host.audio(callback->host.user, &given));
}

static enum weir_result close_callback(struct weir_mux *mux)
{
    struct callback *callback = (struct callback *)mux;
    const enum weir_result result = callback->host.close
                                        ? check(&callback->log, "close",
                                                callback->host.close(callback->host.user))
                                        : WEIR_OK;
    free(callback);
    return result;
}

const struct weir_mux_ops weir_mux_callback = {
    .open = open_callback,
    .write = write_callback,
    .write_audio = write_audio_callback,
    .close = close_callback,
};
