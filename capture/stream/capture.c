// SPDX-License-Identifier: MIT
// The capture: composes encoder, readback, ring, packets, writer and sink.
#include <weir/capture.h>

#include <stdlib.h>

#include "capture/stream/clock/ticks.h"
#include "capture/stream/mux/mux.h"
#include "capture/stream/params.h"
#include "capture/stream/state.h"

static enum weir_result wait_for_readback(void *user, uint32_t slot, uint64_t timeout_ns,
                                          struct weir_result_data *result)
{
    return weir_readback_wait(user, slot, timeout_ns, result);
}

static void release_readback(void *user, uint32_t slot)
{
    weir_readback_release(user, slot);
}

static enum weir_result open_gpu(weir_capture *capture, weir_context *context, const char *tag)
{
    const struct weir_capture_params *params = &capture->params;
    enum weir_result result = weir_encoder_create(context,
                                                  &(struct weir_encoder_params){
                                                      .debug_tag = tag,
                                                      .codec = params->codec,
                                                      .decoder = params->decoder,
                                                      .level = params->level,
                                                      .format = params->format,
                                                      .flags = params->flags,
                                                      .transfer = params->transfer,
                                                      .no_dither = params->no_dither,
                                                  },
                                                  &capture->encoder);
    if (result == WEIR_OK) {
        capture->params.transfer = weir_encoder_get_params(capture->encoder).transfer;
        result = weir_readback_create(
            context,
            &(struct weir_readback_params){
                .debug_tag = tag,
                .size = weir_codec_image_size(params->codec, params->width, params->height),
                .num_slots = params->num_slots,
                .headroom = WEIR_HAP_MAX_HEADER,
            },
            &capture->readback);
    }
    return result;
}

static enum weir_result open_writer(weir_capture *capture)
{
    const struct weir_capture_params *params = &capture->params;
    const enum weir_result result = weir_packer_create(
        &(struct weir_packer_params){
            .texture = WEIR_HAP_YCOCG_BC3,
            .size = (uint32_t)weir_codec_image_size(params->codec, params->width, params->height),
            .block_size = weir_codec_get_info(params->codec)->block_size,
            .snappy = params->compression == WEIR_COMPRESSION_SNAPPY,
            .num_chunks = params->num_chunks,
        },
        &capture->log, &capture->packer);
    if (result != WEIR_OK) {
        return result;
    }
    capture->params.num_chunks = weir_packer_num_chunks(capture->packer);
    weir_ring_init(&capture->ring, params->num_slots);
    capture->has_ring = true;
    capture->writer = (struct weir_writer){
        .ring = &capture->ring,
        .stats = &capture->stats,
        .packer = capture->packer,
        .source = {.wait = wait_for_readback,
                   .release = release_readback,
                   .user = capture->readback},
        .log = capture->log,
        .ticks_per_second = weir_ticks_per_second(params->frame_rate_num, params->frame_rate_den),
    };
    capture->max_gap_ns = weir_ticks_max_gap_ns(capture->writer.ticks_per_second);
    const enum weir_result started = weir_writer_start(&capture->writer);
    capture->has_writer = started == WEIR_OK;
    return started;
}

// Last of all: what fails before it leaves no file to remove.
static enum weir_result open_sink(weir_capture *capture, const char *path)
{
    static const struct weir_mux_ops *const sinks[] = {
        [WEIR_SINK_MOV] = &weir_mux_mov,
        [WEIR_SINK_NULL] = &weir_mux_null,
        [WEIR_SINK_HASH] = &weir_mux_hash,
    };
    const struct weir_capture_params *params = &capture->params;
    const uint32_t ticks_per_second = capture->writer.ticks_per_second;
    return sinks[params->sink]->open(
        &(struct weir_mux_params){
            .path = path,
            .width = params->width,
            .height = params->height,
            .rate_num = params->frame_rate_num,
            .rate_den = params->frame_rate_den,
            .ticks_per_second = ticks_per_second,
            .ticks_per_frame = weir_ticks_per_frame(params->frame_rate_num, params->frame_rate_den,
                                                    ticks_per_second),
            .nominal_size = (uint32_t)weir_codec_image_size(params->codec, params->width,
                                                            params->height),
            .log = capture->log,
        },
        &capture->writer.mux);
}

enum weir_result weir_capture_open(weir_context *context, const struct weir_capture_params *params,
                                   weir_capture **out)
{
    if (out) {
        *out = NULL;
    }
    if (!context) {
        return WEIR_ERROR_INVALID;
    }
    const struct weir_log log = weir_context_get_log(context);
    if (!params || !out) {
        weir_log_printf(&log, WEIR_LOG_ERROR, WEIR_LOG_NULL_ARGUMENT,
                        "weir_capture_open: %s is required", params ? "out" : "params");
        return WEIR_ERROR_INVALID;
    }
    struct weir_capture_params checked = *params;
    enum weir_result result = weir_capture_check_params(&log, &checked);
    if (result != WEIR_OK) {
        return result;
    }
    weir_capture *capture = calloc(1, sizeof(*capture));
    if (!capture) {
        weir_log_printf(&log, WEIR_LOG_ERROR, WEIR_LOG_OUT_OF_MEMORY, "no memory for a capture");
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    capture->params = checked;
    capture->params.debug_tag = NULL;
    capture->params.path = NULL;
    capture->log = log;
    result = open_gpu(capture, context, params->debug_tag);
    if (result == WEIR_OK) {
        result = open_writer(capture);
    }
    if (result == WEIR_OK) {
        result = open_sink(capture, params->path);
    }
    if (result != WEIR_OK) {
        weir_capture_close(&capture, NULL);
    }
    *out = capture;
    return result;
}

void weir_capture_get_stats(weir_capture *capture, struct weir_capture_stats *stats)
{
    if (stats) {
        *stats = (struct weir_capture_stats){.presented = 0};
    }
    if (capture && stats) {
        weir_stats_snapshot(&capture->stats, stats);
    }
}

struct weir_capture_params weir_capture_get_params(const weir_capture *capture)
{
    return capture ? capture->params : (struct weir_capture_params){.path = NULL};
}

enum weir_result weir_capture_close(weir_capture **out, struct weir_capture_stats *stats)
{
    if (stats) {
        *stats = (struct weir_capture_stats){.presented = 0};
    }
    if (!out || !*out) {
        return WEIR_OK;
    }
    weir_capture *capture = *out;
    enum weir_result result = WEIR_OK;
    if (capture->has_writer) {
        result = weir_writer_finish(&capture->writer);
    }
    weir_capture_get_stats(capture, stats);
    if (capture->has_ring) {
        weir_ring_finish(&capture->ring);
    }
    weir_packer_destroy(&capture->packer);
    weir_readback_destroy(&capture->readback);
    weir_encoder_destroy(&capture->encoder);
    free(capture);
    *out = NULL;
    return result;
}
