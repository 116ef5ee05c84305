// SPDX-License-Identifier: MIT
// The params of a capture: their ranges and defaults.
#include "capture/stream/state.h"

#include <limits.h>

#include "capture/movie/movie.h"
#include "capture/stream/audio/audio.h"
#include "capture/stream/clock/clock.h"
#include "capture/stream/mux/replay.h"
#include "capture/stream/packet/packet.h"
#include "capture/stream/ring/ring.h"

#define MAX_SIDE 65535u              // a sample description has 16 bits [texels]
#define MAX_HAP_SIDE 16384u          // FFmpeg's decoder refuses this and above [texels]
#define MAX_SHORT_SECTION (1u << 24) // [bytes]
#define MAX_PACKET (1u << 30) // an AVPacket's size is an int, and its buffers grow by half [bytes]
#define DEFAULT_SLOTS 8
#define DEFAULT_SYNC_MS 1000
#define MAX_CONSTANT_RATE 1000 // [1/s]
#define MAX_REPLAY_MS 3600000
#define MAX_DEFAULT_REPLAY (UINT64_C(1) << 30) // [bytes]
#define MIN_REPLAY_FRAMES 4
#define MAX_QUALITY 100
#define DEFAULT_PREVIEW_SIDE 480 // [texels]
#define MAX_PREVIEW_SIDE 4096

enum weir_result weir_params_out_of_range(const struct weir_log *log, const char *field,
                                          uint64_t value, uint64_t least, uint64_t most)
{
    return weir_fail(log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE,
                     "weir_capture_params.%s is %llu; it must be %llu to %llu", field,
                     (unsigned long long)value, (unsigned long long)least,
                     (unsigned long long)most);
}

enum weir_result weir_params_set_number(const struct weir_log *log, const char *field,
                                        uint32_t *value, uint32_t when_zero, uint32_t least,
                                        uint32_t most)
{
    *value = *value == 0 ? when_zero : *value;
    return *value >= least && *value <= most
               ? WEIR_OK
               : weir_params_out_of_range(log, field, *value, least, most);
}

static enum weir_result check_values(const struct weir_log *log,
                                     const struct weir_capture_params *params)
{
    const struct {
        const char *field;
        int value, last;
    } values[] = {
        {"encoding.decoder", (int)params->encoding.decoder, WEIR_DECODER_FFMPEG},
        {"encoding.effort", (int)params->encoding.effort, WEIR_EFFORT_LIVE},
        {"rate.compression", (int)params->rate.compression, WEIR_COMPRESSION_SNAPPY},
        {"rate.packing", (int)params->rate.packing, WEIR_PACKING_CPU},
        {"policy", (int)params->policy, WEIR_POLICY_WAIT},
        {"on_resize", (int)params->on_resize, WEIR_RESIZE_PAD},
    };
    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
        if (values[i].value < 0 || values[i].value > values[i].last) {
            return weir_fail(log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_UNKNOWN_VALUE,
                             "weir_capture_params.%s has the unknown value %d; use one of its "
                             "enumeration",
                             values[i].field, values[i].value);
        }
    }
    if (!weir_movie_codec_get_info(params->codec)) {
        return weir_fail(log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_UNKNOWN_VALUE,
                         "weir_capture_params.codec has the unknown value %d; use one of enum "
                         "weir_movie_codec",
                         (int)params->codec);
    }
    return WEIR_OK;
}

enum weir_result weir_capture_check_size(const struct weir_log *log, uint32_t width,
                                         uint32_t height, const struct weir_capture_params *params)
{
    const uint32_t max_side = params->movie.pad ? MAX_SIDE - MAX_SIDE % 4 : MAX_SIDE;
    if (width > max_side || height > max_side) {
        return weir_fail(
            log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE,
            "a frame of %ux%u; the sides of a movie are 1 to %u. Capture a smaller size", width,
            height, max_side);
    }
    const uint64_t size = weir_movie_codec_frame_size(params->codec, width, height);
    if (size > MAX_PACKET) {
        return weir_fail(
            log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE,
            "a frame of %ux%u takes %llu bytes; a movie's frame may have %u. Capture a "
            "smaller size",
            width, height, (unsigned long long)size, MAX_PACKET);
    }
    if ((width % 4 != 0 || height % 4 != 0) && !params->movie.pad) {
        weir_log_printf(log, WEIR_LOG_WARNING, WEIR_LOG_CODE_PLAYER_LIMIT,
                        "%ux%u is not a multiple of 4: FFmpeg and mpv show it, some media servers "
                        "refuse it, for which it can be padded",
                        width, height);
    }
    if (weir_movie_codec_get_info(params->codec)->num_textures > 1 && size >= MAX_SHORT_SECTION) {
        weir_log_printf(log, WEIR_LOG_WARNING, WEIR_LOG_CODE_PLAYER_LIMIT,
                        "FFmpeg and mpv show frames of two textures only below 16 MiB, and a frame "
                        "of %ux%u has %llu bytes if it is not compressed",
                        width, height, (unsigned long long)size);
    }
    if (width >= MAX_HAP_SIDE && height >= MAX_HAP_SIDE) {
        weir_log_printf(log, WEIR_LOG_WARNING, WEIR_LOG_CODE_PLAYER_LIMIT,
                        "FFmpeg's decoder refuses %ux%u; it plays below %ux%u", width, height,
                        MAX_HAP_SIDE, MAX_HAP_SIDE);
    }
    return WEIR_OK;
}

// The times of a movie of constant rate are exact.
static enum weir_result check_constant_rate(const struct weir_log *log, struct weir_ratio rate)
{
    if (rate.num < rate.den || rate.num / rate.den > MAX_CONSTANT_RATE ||
        !weir_ticks_fit(rate.num, rate.den)) {
        return weir_fail(log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE,
                         "weir_capture_params.timing.constant_rate: frame_rate is %u/%u; it must "
                         "be 1 to %u frames a second, and with num reduced at most 1000000, so "
                         "that all times are exact",
                         rate.num, rate.den, MAX_CONSTANT_RATE);
    }
    return WEIR_OK;
}

// Set a ratio to its default if both parts are 0, and check the parts of any other one.
static enum weir_result check_ratio(const struct weir_log *log, const char *field,
                                    struct weir_ratio *ratio, struct weir_ratio when_zero)
{
    if (ratio->num == 0 && ratio->den == 0) {
        *ratio = when_zero;
    } else if (ratio->num < 1 || ratio->num > INT_MAX || ratio->den < 1 || ratio->den > INT_MAX) {
        return weir_fail(log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE,
                         "weir_capture_params.%s is %u/%u; both parts must be 1 to %d", field,
                         ratio->num, ratio->den, INT_MAX);
    }
    return WEIR_OK;
}

static enum weir_result check_ratios(const struct weir_log *log, struct weir_capture_params *params)
{
    struct weir_capture_timing_params *timing = &params->timing;
    WEIR_TRY(check_ratio(log, "timing.max_rate", &timing->max_rate, (struct weir_ratio){0, 0}));
    WEIR_TRY(check_ratio(log, "timing.frame_rate", &timing->frame_rate,
                         timing->max_rate.num > 0 ? timing->max_rate : (struct weir_ratio){60, 1}));
    WEIR_TRY(check_ratio(log, "movie.pixel_aspect", &params->movie.pixel_aspect,
                         (struct weir_ratio){1, 1}));
    return timing->constant_rate ? check_constant_rate(log, timing->frame_rate) : WEIR_OK;
}

static enum weir_result check_timecode(const struct weir_log *log,
                                       const struct weir_capture_timing_params *timing)
{
    const struct weir_ratio rate = timing->frame_rate;
    struct weir_timecode timecode;
    const char *wrong = timing->timecode
                            ? weir_timecode_parse(timing->timecode, rate.num, rate.den, &timecode)
                            : NULL;
    if (wrong) {
        return weir_fail(log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE,
                         "weir_capture_params.timing.timecode '%s', at %u/%u frames a second: %s",
                         timing->timecode, rate.num, rate.den, wrong);
    }
    return WEIR_OK;
}

static enum weir_result check_text(const struct weir_log *log, const char *field, const char *text)
{
    char kept[WEIR_MAX_MOVIE_TEXT + 1];
    return !text || weir_metadata_set_text(kept, text)
               ? WEIR_OK
               : weir_fail(log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE,
                           "weir_capture_params.movie.%s is not UTF-8", field);
}

// What makes movies smaller, `field`, goes with some codecs, and with Snappy.
static enum weir_result check_smaller(const struct weir_log *log,
                                      const struct weir_capture_params *params, const char *field,
                                      uint64_t value)
{
    const struct weir_movie_codec_info *codec = weir_movie_codec_get_info(params->codec);
    if (!weir_codec_get_info(codec->textures[0])->has_rdo) {
        return weir_fail(log, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_UNKNOWN_VALUE,
                         "weir_capture_params.%s is %llu: codec %s has no quality below %d; use "
                         "hap_q, hap_q_alpha, hap, hap_alpha, hap_alpha_only or hap_r",
                         field, (unsigned long long)value, codec->name, MAX_QUALITY);
    }
    if (params->rate.compression != WEIR_COMPRESSION_SNAPPY) {
        return weir_fail(log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_OUT_OF_RANGE,
                         "weir_capture_params.%s is %llu: it needs rate.compression SNAPPY, "
                         "without which no quality below %d makes frames smaller",
                         field, (unsigned long long)value, MAX_QUALITY);
    }
    return WEIR_OK;
}

// What stands still is kept by the encoder, or else by the optimiser behind it.
static enum weir_result check_steady(const struct weir_log *log,
                                     const struct weir_capture_params *params)
{
    const struct weir_movie_codec_info *codec = weir_movie_codec_get_info(params->codec);
    const struct weir_codec_info *blocks = weir_codec_get_info(codec->textures[0]);
    const bool is_optimised = params->rate.quality < MAX_QUALITY ||
                              params->rate.bytes_per_second > 0;
    if (!params->encoding.steady || blocks->has_steady || is_optimised) {
        return WEIR_OK;
    }
    return weir_fail(log, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_UNKNOWN_VALUE,
                     "weir_capture_params.encoding.steady: codec %s does not have it%s; use hap, "
                     "hap_alpha, hap_q, hap_q_alpha or hap_alpha_only",
                     codec->name, blocks->has_rdo ? " without a quality or a rate" : "");
}

static enum weir_result check_quality(const struct weir_log *log,
                                      const struct weir_capture_params *params)
{
    if (params->rate.quality < MAX_QUALITY) {
        WEIR_TRY(check_smaller(log, params, "rate.quality", params->rate.quality));
    }
    if (params->rate.bytes_per_second > 0) {
        WEIR_TRY(
            check_smaller(log, params, "rate.bytes_per_second", params->rate.bytes_per_second));
    }
    return check_steady(log, params);
}

static enum weir_result check_numbers(const struct weir_log *log,
                                      struct weir_capture_params *params)
{
    const uint32_t max_slots = WEIR_RING_MAX_ITEMS - params->timing.constant_rate;
    WEIR_TRY(
        weir_params_set_number(log, "num_slots", &params->num_slots, DEFAULT_SLOTS, 2, max_slots));
    WEIR_TRY(weir_params_set_number(log, "rate.quality", &params->rate.quality, MAX_QUALITY, 1,
                                    MAX_QUALITY));
    if (params->preview.show) {
        params->preview.every += params->preview.every == 0;
        WEIR_TRY(weir_params_set_number(log, "preview.max_side", &params->preview.max_side,
                                        DEFAULT_PREVIEW_SIDE, 1, MAX_PREVIEW_SIDE));
    } else {
        params->preview = (struct weir_capture_preview_params){.show = NULL};
    }
    params->movie.sync_ms = params->movie.sync_ms > 0 ? params->movie.sync_ms : DEFAULT_SYNC_MS;
    return params->rate.num_chunks == WEIR_CHUNKS_AUTO
               ? WEIR_OK
               : weir_params_set_number(log, "rate.num_chunks", &params->rate.num_chunks, 1, 1,
                                        WEIR_PACKET_MAX_CHUNKS);
}

static enum weir_result check_segments(const struct weir_log *log,
                                       struct weir_capture_params *params)
{
    params->segments.enable = params->segments.enable || params->segments.length_ms > 0 ||
                              params->segments.max_bytes > 0;
    if (params->segments.enable && params->sink != WEIR_SINK_MOV) {
        return weir_fail(log, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_UNKNOWN_VALUE,
                         "weir_capture_params.%s: only WEIR_SINK_MOV writes segments; use it, or "
                         "leave them out",
                         params->segments.length_ms > 0   ? "segments.length_ms"
                         : params->segments.max_bytes > 0 ? "segments.max_bytes"
                                                          : "segments.enable");
    }
    return WEIR_OK;
}

static enum weir_result check_sink(const struct weir_log *log,
                                   const struct weir_capture_params *params)
{
    const bool has_path = params->path && params->path[0];
    const bool needs_audio = params->audio.num_tracks > 0 && params->callbacks.packet;
    const char *callback = needs_audio && !params->callbacks.audio ? "callbacks.audio" : NULL;
    const char *missing = NULL;
    switch (params->sink) {
    case WEIR_SINK_NULL:
        missing = callback;
        break;
    case WEIR_SINK_MOV:
    case WEIR_SINK_HASH:
        missing = has_path ? callback : "path";
        break;
    case WEIR_SINK_CALLBACK:
        missing = params->callbacks.packet ? callback : "callbacks.packet";
        break;
    default:
        return weir_fail(log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_UNKNOWN_VALUE,
                         "weir_capture_params.sink has the unknown value %d; use one of enum "
                         "weir_sink",
                         (int)params->sink);
    }
    if (params->movie.sidecar && params->sink != WEIR_SINK_MOV) {
        return weir_fail(
            log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_UNKNOWN_VALUE,
            "weir_capture_params.movie.sidecar is for WEIR_SINK_MOV, beside whose file it is; "
            "other sinks have weir_capture_get_stats()");
    }
    if (missing) {
        return weir_fail(log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_NULL_ARGUMENT,
                         "weir_capture_params.%s is required for this sink", missing);
    }
    return WEIR_OK;
}

// What a replay of this length may need [bytes]. Audio is written a while behind its frames, and
// the end of the memory is not always used.
static uint64_t replay_size(const struct weir_capture_params *params, uint64_t frame_size)
{
    const uint64_t num_frames = (uint64_t)params->replay.length_ms * params->timing.frame_rate.num /
                                1000 / params->timing.frame_rate.den;
    uint64_t audio_size = 0; // [bytes a second]
    for (uint32_t i = 0; i < params->audio.num_tracks; i++) {
        const struct weir_audio_track *track = &params->audio.tracks[i];
        audio_size += (uint64_t)track->sample_rate *
                          weir_audio_sample_size(track->format, track->num_channels) +
                      10 * 2 * WEIR_REPLAY_UNIT;
    }
    return (num_frames + MIN_REPLAY_FRAMES) * frame_size +
           audio_size * (params->replay.length_ms + 1000) / 1000;
}

static enum weir_result check_replay(const struct weir_log *log, uint32_t width, uint32_t height,
                                     struct weir_capture_params *params)
{
    if (params->replay.length_ms > MAX_REPLAY_MS) {
        return weir_params_out_of_range(log, "replay.length_ms", params->replay.length_ms, 0,
                                        MAX_REPLAY_MS);
    }
    if (params->replay.length_ms == 0) {
        params->replay.max_bytes = 0;
        return WEIR_OK;
    }
    const uint64_t frame = weir_movie_codec_frame_size(params->codec, width, height) +
                           WEIR_PACKET_HEADROOM + 2 * WEIR_REPLAY_UNIT;
    const uint64_t need = replay_size(params, frame), least = MIN_REPLAY_FRAMES * frame;
    if (params->replay.max_bytes == 0) {
        params->replay.max_bytes = need < MAX_DEFAULT_REPLAY ? need : MAX_DEFAULT_REPLAY;
        params->replay.max_bytes = least < params->replay.max_bytes ? params->replay.max_bytes
                                                                    : least;
    }
    if (params->replay.max_bytes < least) {
        return weir_params_out_of_range(log, "replay.max_bytes", params->replay.max_bytes, least,
                                        UINT64_MAX);
    }
    if (params->replay.max_bytes < need) {
        weir_log_printf(log, WEIR_LOG_WARNING, WEIR_LOG_CODE_REPLAY_MEMORY,
                        "the memory of the replay, %llu MiB, holds about %.1f s of "
                        "frames that are not compressed; %.1f s take %llu MiB",
                        (unsigned long long)(params->replay.max_bytes >> 20),
                        (double)params->replay.length_ms * 1e-3 * (double)params->replay.max_bytes /
                            (double)need,
                        (double)params->replay.length_ms * 1e-3,
                        (unsigned long long)(need >> 20) + 1);
    }
    return WEIR_OK;
}

enum weir_result weir_capture_check_params(const struct weir_log *log, uint32_t width,
                                           uint32_t height, struct weir_capture_params *params)
{
    WEIR_TRY(check_values(log, params));
    WEIR_TRY(check_sink(log, params));
    WEIR_TRY(weir_capture_check_size(log, width, height, params));
    WEIR_TRY(check_ratios(log, params));
    WEIR_TRY(check_timecode(log, &params->timing));
    WEIR_TRY(check_text(log, "title", params->movie.title));
    WEIR_TRY(check_text(log, "comment", params->movie.comment));
    WEIR_TRY(check_numbers(log, params));
    WEIR_TRY(check_quality(log, params));
    params->codec = weir_movie_codec_get_info(params->codec)->codec;
    WEIR_TRY(check_segments(log, params));
    WEIR_TRY(weir_audio_check_params(log, params));
    return check_replay(log, width, height, params);
}
