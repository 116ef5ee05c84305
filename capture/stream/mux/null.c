// SPDX-License-Identifier: MIT
// The null sink: takes packets and keeps nothing.
#include <stdlib.h>

#include "capture/stream/mux/mux.h"

static enum weir_result open_null(const struct weir_mux_params *params, struct weir_mux **out)
{
    *out = weir_mux_make(sizeof(**out), &weir_mux_null, &params->log);
    return *out ? WEIR_OK : WEIR_ERROR_OUT_OF_MEMORY;
}

static enum weir_result write_null(struct weir_mux *mux, const struct weir_mux_packet *packet)
{
    (void)mux;
    (void)packet;
    return WEIR_OK;
}

static enum weir_result write_audio_null(struct weir_mux *mux, const struct weir_mux_audio *audio)
{
    (void)mux;
    (void)audio;
    return WEIR_OK;
}

static enum weir_result close_null(struct weir_mux *mux)
{
    free(mux);
    return WEIR_OK;
}

const struct weir_mux_ops weir_mux_null = {
    .open = open_null,
    .write = write_null,
    .write_audio = write_audio_null,
    .close = close_null,
};
