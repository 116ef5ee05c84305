// SPDX-License-Identifier: MIT
// The capture: composes encoder, readback, ring, packets, sound, writer and sink.
#include <weir/capture.h>

#include <stdlib.h>

#include "capture/stream/clock/ticks.h"
#include "capture/stream/mux/mux.h"
#include "capture/stream/params.h"
#include "capture/stream/state.h"

// The longest gap between two frames that is filled with repeated ones.
#define MAX_REPEATED_NS 60000000000u

static void wake_writer(void *user)
{
    weir_ring_wake(user);
}

// A grid takes no more frames than it has points: it needs a pace only where that is slower.
static void set_pace(weir_capture *capture)
{
    const struct weir_capture_params *params = &capture->params;
    const uint64_t pace = (uint64_t)params->max_rate_num * params->frame_rate_den;
    const uint64_t rate = (uint64_t)params->frame_rate_num * params->max_rate_den;
    const bool has_pace = !params->constant_rate || pace < rate;
    weir_pace_init(&capture->times.pace, has_pace ? params->max_rate_num : 0, params->max_rate_den);
}

// Which frames are taken, and what their times become.
static void set_times(weir_capture *capture)
{
    const struct weir_capture_params *params = &capture->params;
    const uint32_t ticks_per_second = weir_ticks_per_second(params->frame_rate_num,
                                                            params->frame_rate_den);
    set_pace(capture);
    capture->max_gap_ns = weir_ticks_max_gap_ns(ticks_per_second);
    if (params->constant_rate) {
        const uint32_t ticks = weir_ticks_per_frame(params->frame_rate_num, params->frame_rate_den,
                                                    ticks_per_second);
        capture->grid = (struct weir_grid){ticks_per_second, ticks, 0};
        capture->max_gap_ns = MAX_REPEATED_NS;
    }
}

// `tracks` are read during the call only.
static enum weir_result open_sound(weir_capture *capture, const struct weir_audio_track *tracks)
{
    const struct weir_capture_params *params = &capture->params;
    const struct weir_sound_params sound = {
        .tracks = tracks,
        .num_tracks = params->num_audio_tracks,
        .buffer_ms = params->audio_buffer_ms,
        .max_gap_ns = weir_ticks_max_gap_ns(
            weir_ticks_per_second(params->frame_rate_num, params->frame_rate_den)),
        .max_frame_gap_ns = capture->max_gap_ns,
        .waits = params->policy == WEIR_POLICY_WAIT,
        .pauses = &capture->pauses,
        .stats = &capture->stats,
        .log = &capture->log,
        .wake = wake_writer,
        .user = &capture->ring,
    };
    return weir_sound_init(&capture->sound, &sound);
}

static enum weir_result open_writer(weir_capture *capture)
{
    const struct weir_capture_params *params = &capture->params;
    weir_ring_init(&capture->ring, params->num_slots);
    capture->has_ring = true;
    capture->writer = (struct weir_writer){
        .ring = &capture->ring,
        .stats = &capture->stats,
        .drops = &capture->drops,
        .sound = params->num_audio_tracks > 0 ? &capture->sound : NULL,
        .log = capture->log,
        .ticks_per_second = weir_ticks_per_second(params->frame_rate_num, params->frame_rate_den),
        .ticks_per_frame = capture->grid.ticks_per_frame,
        .max_gap_ns = params->segments ? capture->max_gap_ns : UINT64_MAX,
    };
    const enum weir_result started = weir_writer_start(&capture->writer);
    capture->has_writer = started == WEIR_OK;
    return started;
}

// Open the sink itself, or inside a replay.
static enum weir_result open_mux(weir_capture *capture, const struct weir_mux_ops *sink,
                                 const struct weir_mux_params *mux)
{
    const struct weir_capture_params *params = &capture->params;
    if (params->replay_ms == 0) {
        return sink->open(mux, &capture->writer.mux);
    }
    const struct weir_replay_params replay = {
        .window_ns = params->replay_ms * UINT64_C(1000000),
        .size = params->replay_bytes,
        .stats = &capture->stats,
    };
    const enum weir_result result = weir_replay_open(&replay, sink, mux, &capture->writer.mux);
    capture->replay = result == WEIR_OK ? (struct weir_replay *)capture->writer.mux : NULL;
    return result;
}

static enum weir_result open_kind(weir_capture *capture, const struct weir_capture_params *given)
{
    capture->kinds = (struct weir_kinds){
        .context = capture->context, .log = &capture->log, .params = capture->params};
    const enum weir_result result = weir_kinds_change(&capture->kinds, given->like,
                                                      given->debug_tag);
    if (result == WEIR_OK) {
        const struct weir_packer *packer = capture->kinds.current->writer.packer;
        capture->params.num_chunks = weir_packer_num_chunks(packer);
    }
    return result;
}

// Open the sink, last of all, so that an earlier failure leaves no file to remove.
static enum weir_result open_sink(weir_capture *capture, const struct weir_capture_params *given)
{
    static const struct weir_mux_ops *const sinks[] = {
        [WEIR_SINK_MOV] = &weir_mux_mov,
        [WEIR_SINK_NULL] = &weir_mux_null,
        [WEIR_SINK_HASH] = &weir_mux_hash,
        [WEIR_SINK_CALLBACK] = &weir_mux_callback,
    };
    const struct weir_capture_params *params = &capture->params;
    const uint32_t ticks_per_second = capture->writer.ticks_per_second;
    const struct weir_mux_kind *movie = &capture->kinds.current->writer.movie;
    const struct weir_mux_ops *sink = params->segments ? &weir_mux_segments : sinks[params->sink];
    struct weir_timecode timecode = {.frames_per_second = 0};
    if (given->timecode) {
        weir_timecode_parse(given->timecode, params->frame_rate_num, params->frame_rate_den,
                            &timecode);
    }
    const struct weir_mux_params mux = {
        .path = given->path,
        .codec = params->codec,
        .width = movie->width,
        .height = movie->height,
        .rate_num = params->frame_rate_num,
        .rate_den = params->frame_rate_den,
        .ticks_per_second = ticks_per_second,
        .ticks_per_frame = weir_ticks_per_frame(params->frame_rate_num, params->frame_rate_den,
                                                ticks_per_second),
        .premultiplied = params->premultiplied,
        .nominal_size = movie->nominal_size,
        .sync_ns = params->sync_ms == WEIR_SYNC_NEVER ? 0 : params->sync_ms * UINT64_C(1000000),
        .callbacks = given->callbacks,
        .audio_tracks = given->audio_tracks,
        .num_audio_tracks = params->num_audio_tracks,
        .timecode = timecode,
        .log = capture->log,
        .segment_ns = params->segment_ms * UINT64_C(1000000),
        .segment_bytes = params->segment_bytes,
        .max_gap_ns = capture->writer.max_gap_ns,
        .audio_buffer_ns = params->audio_buffer_ms * UINT64_C(1000000),
        .counts = &capture->stats.writer,
    };
    if (params->sidecar) {
        const enum weir_result result = weir_sidecar_open(given->path, params, &mux, &capture->ring,
                                                          &capture->sidecar);
        if (result != WEIR_OK) {
            return result;
        }
        capture->writer.sidecar = capture->sidecar;
    }
    return open_mux(capture, sink, &mux);
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
        weir_log_printf(&log, WEIR_LOG_ERROR, WEIR_LOG_CODE_NULL_ARGUMENT,
                        "weir_capture_open: %s is required", params ? "out" : "params");
        return WEIR_ERROR_INVALID;
    }
    struct weir_capture_params checked = *params;
    const struct weir_image_params like = weir_image_get_params(params->like);
    enum weir_result result = weir_capture_check_params(&log, &like, &checked);
    if (result != WEIR_OK) {
        return result;
    }
    weir_capture *capture = calloc(1, sizeof(*capture));
    if (!capture || !weir_pauses_init(&capture->pauses)) {
        free(capture);
        weir_log_printf(&log, WEIR_LOG_ERROR, WEIR_LOG_CODE_OUT_OF_MEMORY,
                        "no memory for a capture");
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    capture->params = checked;
    capture->context = context;
    capture->log = log;
    capture->drops = (struct weir_drop_log){.stats = &capture->stats, .log = &capture->log};
    weir_degrade_init(&capture->degrade, checked.num_slots,
                      checked.compression == WEIR_COMPRESSION_SNAPPY);
    set_times(capture);
    capture->params.debug_tag = NULL;
    capture->params.path = NULL;
    capture->params.timecode = NULL;
    capture->params.like = NULL;
    capture->params.callbacks = (struct weir_sink_callbacks){0};
    capture->params.audio_tracks = NULL;
    result = open_kind(capture, params);
    if (result == WEIR_OK) {
        result = open_sound(capture, params->audio_tracks);
    }
    if (result == WEIR_OK) {
        result = open_writer(capture);
    }
    if (result == WEIR_OK) {
        result = open_sink(capture, params);
    }
    if (result != WEIR_OK) {
        weir_capture_close(&capture, NULL);
    }
    *out = capture;
    return result;
}

struct weir_capture_stats weir_capture_get_stats(const weir_capture *capture)
{
    return capture ? weir_stats_snapshot(&capture->stats) : (struct weir_capture_stats){0};
}

struct weir_capture_params weir_capture_get_params(const weir_capture *capture)
{
    return capture ? capture->params : (struct weir_capture_params){0};
}

enum weir_result weir_capture_close(weir_capture **out, struct weir_capture_stats *stats)
{
    if (stats) {
        *stats = (struct weir_capture_stats){0};
    }
    if (!out || !*out) {
        return WEIR_OK;
    }
    weir_capture *capture = *out;
    enum weir_result result = WEIR_OK;
    if (capture->has_writer) {
        result = weir_writer_finish(&capture->writer);
        weir_drop_log_finish(&capture->drops,
                             weir_capture_movie_time(capture, capture->times.last_ns));
    }
    weir_sound_finish(&capture->sound);
    const struct weir_capture_stats end = weir_capture_get_stats(capture);
    const int64_t last_ns = (int64_t)((uint64_t)capture->first_ns + capture->taken_ns);
    weir_sidecar_close(&capture->sidecar, &(struct weir_sidecar_end){.stats = end,
                                                                     .result = result,
                                                                     .first_ns = capture->first_ns,
                                                                     .last_ns = last_ns});
    if (stats) {
        *stats = end;
    }
    if (capture->has_ring) {
        weir_ring_finish(&capture->ring);
    }
    weir_pauses_finish(&capture->pauses);
    weir_kinds_finish(&capture->kinds);
    free(capture);
    *out = NULL;
    return result;
}
