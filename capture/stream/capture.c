// SPDX-License-Identifier: MIT
// The capture: composes encoder, readback, ring, packets, audio, writer and sink.
#include <weir/capture.h>

#include <inttypes.h>
#include <stdlib.h>

#include "capture/stream/clock/clock.h"
#include "capture/stream/mux/mux.h"
#include "capture/stream/state.h"

#define NS_PER_MS UINT64_C(1000000)

static void set_times(weir_capture *capture)
{
    const struct weir_capture_params *params = &capture->params;
    const struct weir_times_params times = {
        .rate_num = params->timing.frame_rate.num,
        .rate_den = params->timing.frame_rate.den,
        .max_rate_num = params->timing.max_rate.num,
        .max_rate_den = params->timing.max_rate.den,
        .constant_rate = params->timing.constant_rate,
        .has_segments = params->segments.enable,
        .pauses = &capture->pauses,
    };
    weir_times_init(&capture->times, &times);
}

// `tracks` are read during the call only.
static enum weir_result open_audio(weir_capture *capture, const struct weir_audio_track *tracks)
{
    const struct weir_capture_params *params = &capture->params;
    const struct weir_audio_params audio = {
        .tracks = tracks,
        .num_tracks = params->audio.num_tracks,
        .buffer_ms = params->audio.buffer_ms,
        .max_gap_ns = weir_ticks_max_gap_ns(capture->times.ticks_per_second),
        .max_frame_gap_ns = capture->times.max_gap_ns,
        .waits = params->policy == WEIR_POLICY_WAIT,
        .ticks_per_second = capture->times.ticks_per_second,
        .pauses = &capture->pauses,
        .stats = &capture->stats,
        .log = &capture->log,
        .ring = &capture->ring,
    };
    return weir_audio_init(&capture->audio, &audio);
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
        .audio = params->audio.num_tracks > 0 ? &capture->audio : NULL,
        .chapters = &capture->chapters,
        .previews = &capture->previews,
        .rate = capture->rate,
        .log = capture->log,
        .ticks_per_second = capture->times.ticks_per_second,
        .ticks_per_frame = capture->times.ticks_per_frame,
        .max_gap_ns = params->segments.enable ? capture->times.max_gap_ns : UINT64_MAX,
    };
    const enum weir_result started = weir_writer_start(&capture->writer);
    capture->has_writer = started == WEIR_OK;
    return started;
}

static enum weir_result open_encoding(weir_capture *capture, const struct weir_frame_format *format)
{
    capture->encodings = (struct weir_encodings){
        .context = capture->context,
        .blocks = weir_block_slots_source(&capture->slots),
        .log = &capture->log,
        .params = capture->params,
    };
    WEIR_TRY(weir_encodings_change(&capture->encodings, format));
    const struct weir_encoding *encoding = capture->encodings.current;
    capture->params.rate.num_chunks = weir_packer_num_chunks(encoding->packer);
    capture->params.rate.packing = encoding->gpu.is_packed ? WEIR_PACKING_GPU : WEIR_PACKING_CPU;
    return WEIR_OK;
}

static enum weir_result open_rate(weir_capture *capture)
{
    if (capture->params.rate.bytes_per_second == 0) {
        return WEIR_OK;
    }
    capture->rate = weir_rate_loop_create(&capture->params,
                                          capture->encodings.current->movie.nominal_size,
                                          &capture->stats.render, &capture->log);
    return capture->rate ? WEIR_OK
                         : weir_fail(&capture->log, WEIR_ERROR_OUT_OF_MEMORY,
                                     WEIR_LOG_CODE_OUT_OF_MEMORY, "no memory for a rate");
}

static struct weir_metadata metadata_of(const struct weir_capture_movie_params *given)
{
    struct weir_metadata metadata = {.creation_time = weir_metadata_time(given->creation_time)};
    weir_metadata_set_text(metadata.title, given->title ? given->title : "");
    weir_metadata_set_text(metadata.comment, given->comment ? given->comment : "");
    return metadata;
}

// Describe the movie for the sink. Pointers are the host's, and read while the sink is opened.
static struct weir_mux_params describe_movie(weir_capture *capture,
                                             const struct weir_capture_params *given)
{
    const struct weir_capture_params *params = &capture->params;
    const uint32_t ticks_per_second = capture->times.ticks_per_second;
    struct weir_timecode timecode = {.frames_per_second = 0};
    if (given->timing.timecode) {
        weir_timecode_parse(given->timing.timecode, params->timing.frame_rate.num,
                            params->timing.frame_rate.den, &timecode);
    }
    return (struct weir_mux_params){
        .path = given->path,
        .codec = params->codec,
        .format = capture->encodings.current->movie,
        .rate_num = params->timing.frame_rate.num,
        .rate_den = params->timing.frame_rate.den,
        .ticks_per_second = ticks_per_second,
        .ticks_per_frame = weir_ticks_per_frame(params->timing.frame_rate.num,
                                                params->timing.frame_rate.den, ticks_per_second),
        .pixel_aspect_num = params->movie.pixel_aspect.num,
        .pixel_aspect_den = params->movie.pixel_aspect.den,
        .premultiplied = params->movie.premultiplied,
        .sync_ns = params->movie.sync_ms == WEIR_SYNC_NEVER ? 0 : params->movie.sync_ms * NS_PER_MS,
        .callbacks = given->callbacks,
        .audio_tracks = given->audio.tracks,
        .num_audio_tracks = params->audio.num_tracks,
        .timecode = timecode,
        .metadata = metadata_of(&given->movie),
        .log = capture->log,
        .segment_ns = params->segments.length_ms * NS_PER_MS,
        .segment_bytes = params->segments.max_bytes,
        .max_gap_ns = capture->writer.max_gap_ns,
        .audio_buffer_ns = params->audio.buffer_ms * NS_PER_MS,
        .counts = &capture->stats.writer,
    };
}

// Open the sink itself, or inside a replay.
static enum weir_result open_mux(weir_capture *capture, const struct weir_mux_params *given)
{
    static const struct weir_mux_ops *const sinks[] = {
        [WEIR_SINK_MOV] = &weir_mux_mov,
        [WEIR_SINK_NULL] = &weir_mux_null,
        [WEIR_SINK_HASH] = &weir_mux_hash,
        [WEIR_SINK_CALLBACK] = &weir_mux_callback,
    };
    const struct weir_capture_params *params = &capture->params;
    const struct weir_mux_ops *sink = params->segments.enable ? &weir_mux_segments
                                                              : sinks[params->sink];
    struct weir_mux_params movie = *given;
    const struct weir_mux_params *mux = &movie;
    if (params->sink != WEIR_SINK_CALLBACK && given->callbacks.packet) {
        movie.main = sink;
        sink = &weir_mux_beside;
    }
    if (params->replay.length_ms == 0) {
        return sink->open(mux, &capture->writer.mux);
    }
    const struct weir_replay_params replay = {
        .window_ns = params->replay.length_ms * NS_PER_MS,
        .size = params->replay.max_bytes,
        .stats = &capture->stats,
        .first_ns = &capture->writer.first_ns,
        .constant_ticks = capture->times.ticks_per_frame,
    };
    const enum weir_result result = weir_replay_open(&replay, sink, mux, &capture->writer.mux);
    capture->replay = result == WEIR_OK ? (struct weir_replay *)capture->writer.mux : NULL;
    return result;
}

// Open the sidecar and the sink, last of all, so that an earlier failure leaves no file to remove.
static enum weir_result open_files(weir_capture *capture, const struct weir_capture_params *given)
{
    const struct weir_mux_params movie = describe_movie(capture, given);
    if (capture->params.movie.sidecar) {
        WEIR_TRY(weir_sidecar_open(given->path, &capture->params, &movie, &capture->ring,
                                   &capture->sidecar));
        capture->writer.sidecar = capture->sidecar;
    }
    return open_mux(capture, &movie);
}

// The params in force, without what is the host's.
static struct weir_capture_params without_pointers(struct weir_capture_params params)
{
    params.debug_tag = NULL;
    params.path = NULL;
    params.timing.timecode = params.movie.title = params.movie.comment = NULL;
    params.like = NULL;
    params.callbacks = (struct weir_sink_callbacks){0};
    params.audio.tracks = NULL;
    params.preview.show = NULL;
    params.preview.user = NULL;
    return params;
}

// Make what has no files: what comes first is there when what follows needs it.
static enum weir_result make_parts(weir_capture *capture, const struct weir_frame_format *format,
                                   const struct weir_audio_track *tracks)
{
    set_times(capture);
    if (!weir_pending_chapters_init(&capture->chapters, &capture->pauses)) {
        return weir_fail(&capture->log, WEIR_ERROR_OUT_OF_MEMORY, WEIR_LOG_CODE_OUT_OF_MEMORY,
                         "no memory for chapters");
    }
    WEIR_TRY(open_encoding(capture, format));
    WEIR_TRY(open_rate(capture));
    WEIR_TRY(weir_previews_start(&capture->previews, &capture->log));
    WEIR_TRY(open_audio(capture, tracks));
    return open_writer(capture);
}

// Set what is known before anything is made. `params` were checked.
static void set_up(weir_capture *capture, const struct weir_capture_origin *origin,
                   const struct weir_capture_params *params)
{
    capture->params = without_pointers(*params);
    capture->context = origin->context;
    capture->log = origin->log;
    capture->previews.params = params->preview;
    capture->drops = (struct weir_drop_log){.stats = &capture->stats, .log = &capture->log};
    if (origin->blocks) {
        capture->slots.release = origin->blocks->release;
        capture->slots.user = origin->blocks->user;
        // One more than are in flight: the writer keeps the last frame, to repeat it.
        capture->slots.num = params->num_slots + params->timing.constant_rate;
    }
}

enum weir_result weir_capture_open_at(const struct weir_capture_origin *origin,
                                      const struct weir_capture_params *params, weir_capture **out)
{
    struct weir_capture_params checked = *params;
    WEIR_TRY(weir_capture_check_params(&origin->log, origin->format.width, origin->format.height,
                                       &checked));
    weir_capture *capture = calloc(1, sizeof(*capture));
    if (!capture || !weir_pauses_init(&capture->pauses)) {
        free(capture);
        return weir_fail(&origin->log, WEIR_ERROR_OUT_OF_MEMORY, WEIR_LOG_CODE_OUT_OF_MEMORY,
                         "no memory for a capture");
    }
    set_up(capture, origin, &checked);
    enum weir_result result = make_parts(capture, &origin->format, params->audio.tracks);
    if (result == WEIR_OK) {
        result = open_files(capture, params);
    }
    if (result != WEIR_OK) {
        weir_capture_close(&capture, NULL);
    }
    *out = capture;
    return result;
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
        return weir_fail(&log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_NULL_ARGUMENT,
                         "weir_capture_open: %s is required", params ? "out" : "params");
    }
    if (!params->like) {
        return weir_fail(&log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_NULL_ARGUMENT,
                         "weir_capture_params.like is required: an image like those of the frames");
    }
    const struct weir_capture_origin origin = {
        .context = context,
        .log = log,
        .format = weir_frame_format_of(params->like, params->debug_tag),
    };
    return weir_capture_open_at(&origin, params, out);
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
        weir_drop_log_finish(&capture->drops, capture->times.last_movie_ns);
    }
    weir_previews_finish(&capture->previews);
    weir_audio_finish(&capture->audio);
    const struct weir_capture_stats end = weir_capture_get_stats(capture);
    const struct weir_times *times = &capture->times;
    const struct weir_sidecar_end ending = {
        .stats = end,
        .result = result,
        .first_ns = times->first_ns,
        .last_ns = (int64_t)((uint64_t)times->first_ns + times->recorded_ns),
    };
    weir_sidecar_close(&capture->sidecar, &ending);
    if (stats) {
        *stats = end;
    }
    if (capture->has_ring) {
        weir_ring_finish(&capture->ring);
    }
    weir_pending_chapters_finish(&capture->chapters);
    weir_pauses_finish(&capture->pauses);
    weir_encodings_finish(&capture->encodings);
    free(capture->rate);
    free(capture);
    *out = NULL;
    return result;
}

// Get when the movie ends, since its first frame. 0: the last frame has the nominal duration.
static uint64_t find_end(const weir_capture *capture, int64_t time_ns)
{
    const struct weir_times *times = &capture->times;
    const uint64_t end_ns = weir_times_in_movie(times, time_ns);
    const uint64_t longest_ns = times->recorded_ns + times->max_gap_ns;
    if (end_ns > longest_ns) {
        weir_log_printf(&capture->log, WEIR_LOG_WARNING, WEIR_LOG_CODE_TIME_GAP,
                        "the movie ends %" PRIu64 " s after its last frame, not %" PRIu64
                        " s: more than a movie %s",
                        times->max_gap_ns / 1000000000u,
                        (end_ns - times->recorded_ns) / 1000000000u,
                        times->ticks_per_frame > 0 ? "of constant rate fills" : "can store");
        return longest_ns;
    }
    return end_ns > times->recorded_ns ? end_ns : 0;
}

enum weir_result weir_capture_close_at(weir_capture **out, int64_t time_ns,
                                       struct weir_capture_stats *stats)
{
    if (out && *out) {
        (*out)->writer.end_ns = find_end(*out, time_ns);
    }
    return weir_capture_close(out, stats);
}
