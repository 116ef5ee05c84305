// SPDX-License-Identifier: MIT
// A sink with the host's callbacks beside it: they get every packet too, and cannot harm it.
#include "capture/stream/mux/mux.h"

#include <stdlib.h>

struct beside {
    struct weir_mux base;
    struct weir_mux *sink;
    struct weir_mux *host;         // NULL: it failed, and gets nothing more
    struct weir_mux_params params; // of the host, which is opened for each format
};

static void close_host(struct beside *beside)
{
    if (beside->host) {
        beside->host->ops->close(beside->host);
        beside->host = NULL;
    }
}

static enum weir_result open_beside(const struct weir_mux_params *params, struct weir_mux **out)
{
    struct beside *beside = weir_mux_make(sizeof(*beside), &weir_mux_beside, &params->log);
    if (!beside) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    beside->params = *params;
    enum weir_result result = weir_mux_callback.open(params, &beside->host);
    if (result == WEIR_OK) {
        result = params->main->open(params, &beside->sink);
    }
    if (result != WEIR_OK) {
        close_host(beside);
        free(beside);
        return result;
    }
    *out = &beside->base;
    return WEIR_OK;
}

// Give the host a packet. Frames of another format are another movie for it.
static void write_host(struct beside *beside, const struct weir_mux_packet *packet)
{
    if (packet->track == 0 && packet->format.number != beside->params.format.number) {
        close_host(beside);
        beside->params.format = packet->format;
        if (weir_mux_callback.open(&beside->params, &beside->host) != WEIR_OK) {
            beside->host = NULL;
        }
    }
    if (beside->host && beside->host->ops->write(beside->host, packet) != WEIR_OK) {
        close_host(beside);
    }
}

static enum weir_result write_beside(struct weir_mux *mux, const struct weir_mux_packet *packet)
{
    struct beside *beside = (struct beside *)mux;
    const enum weir_result result = beside->sink->ops->write(beside->sink, packet);
    if (result == WEIR_OK && beside->host) {
        write_host(beside, packet);
    }
    return result;
}

static void write_chapter(struct weir_mux *mux, const struct weir_mux_chapter *chapter)
{
    struct beside *beside = (struct beside *)mux;
    if (beside->sink->ops->write_chapter) {
        beside->sink->ops->write_chapter(beside->sink, chapter);
    }
}

static void end_beside(struct weir_mux *mux, uint64_t ticks)
{
    struct beside *beside = (struct beside *)mux;
    if (beside->sink->ops->end) {
        beside->sink->ops->end(beside->sink, ticks);
    }
    if (beside->host) {
        beside->host->ops->end(beside->host, ticks);
    }
}

static enum weir_result close_beside(struct weir_mux *mux)
{
    struct beside *beside = (struct beside *)mux;
    const enum weir_result result = beside->sink->ops->close(beside->sink);
    close_host(beside);
    free(beside);
    return result;
}

static struct weir_mux_span audio_span(const struct weir_mux *mux, uint32_t track)
{
    return weir_mux_audio_span(((const struct beside *)mux)->sink, track);
}

const struct weir_mux_ops weir_mux_beside = {
    .open = open_beside,
    .write = write_beside,
    .write_chapter = write_chapter,
    .end = end_beside,
    .close = close_beside,
    .audio_span = audio_span,
};
