// SPDX-License-Identifier: MIT
// What sinks share, and those that write no movie: null, hash and callback.
#include "capture/stream/mux/mux.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "capture/base/file.h"
#include "capture/base/fnv.h"
#include "capture/movie/hap.h"

void *weir_mux_make(size_t size, const struct weir_mux_ops *ops, const struct weir_log *log)
{
    struct weir_mux *mux = calloc(1, size);
    if (mux) {
        mux->ops = ops;
    } else {
        weir_log_printf(log, WEIR_LOG_ERROR, WEIR_LOG_CODE_OUT_OF_MEMORY, "no memory");
    }
    return mux;
}

void weir_mux_mov_describe(const struct weir_mux_params *params, struct weir_movie *movie)
{
    const bool is_square = params->pixel_aspect_num == params->pixel_aspect_den;
    *movie = (struct weir_movie){
        .pictures = {.width = params->format.width,
                     .height = params->format.height,
                     .pixel_aspect_num = is_square ? 0 : params->pixel_aspect_num,
                     .pixel_aspect_den = is_square ? 0 : params->pixel_aspect_den,
                     .ticks_per_second = params->ticks_per_second,
                     .ticks_per_frame = params->ticks_per_frame},
        .num_audio = params->num_audio_tracks,
        .timecode = {.first = params->timecode,
                     .rate_num = params->ticks_per_second,
                     .rate_den = params->ticks_per_frame},
        .metadata = params->metadata,
    };
    weir_hap_describe(weir_movie_codec_get_info(params->codec), params->premultiplied,
                      &movie->pictures);
    for (uint32_t i = 0; i < params->num_audio_tracks; i++) {
        movie->audio[i] = weir_movie_audio_of(&params->audio_tracks[i]);
    }
    if (params->segment) {
        movie->segment = *params->segment;
    }
}

struct weir_capture_track weir_mux_track(const struct weir_mux_params *params)
{
    const struct weir_movie_codec_info *codec = weir_movie_codec_get_info(params->codec);
    struct weir_movie_pictures pictures;
    weir_hap_describe(codec, params->premultiplied, &pictures);
    return (struct weir_capture_track){
        .codec_tag = codec->codec_tag,
        .bits_per_coded_sample = codec->bits_per_coded_sample,
        .width = params->format.width,
        .height = params->format.height,
        .pixel_aspect_num = params->pixel_aspect_num,
        .pixel_aspect_den = params->pixel_aspect_den,
        .time_base_num = 1,
        .time_base_den = params->ticks_per_second,
        .frame_rate_num = params->rate_num,
        .frame_rate_den = params->rate_den,
        .color_primaries = pictures.color_primaries,
        .color_transfer = pictures.color_transfer,
        .color_matrix = pictures.color_matrix,
    };
}

enum weir_result weir_mux_write_silence(struct weir_mux *mux, uint32_t track,
                                        const struct weir_audio_track *format, uint64_t position,
                                        uint64_t num_samples)
{
    static const uint8_t zeros[1 << 16];
    const uint32_t size = weir_audio_sample_size(format->format, format->num_channels);
    const uint32_t most = (uint32_t)sizeof(zeros) / size;
    enum weir_result result = WEIR_OK;
    while (result == WEIR_OK && num_samples > 0) {
        const uint32_t num = num_samples < most ? (uint32_t)num_samples : most;
        result = mux->ops->write(mux, &(struct weir_mux_packet){.track = 1 + track,
                                                                .data = zeros,
                                                                .num_samples = num,
                                                                .size = num * size,
                                                                .ticks = position});
        position += num;
        num_samples -= num;
    }
    return result;
}

struct weir_mux_span weir_mux_audio_span(const struct weir_mux *mux, uint32_t track)
{
    return mux->ops->audio_span
               ? mux->ops->audio_span(mux, track)
               : (struct weir_mux_span){.known = UINT64_MAX, .end = WEIR_AUDIO_MAX_SAMPLES};
}

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

static enum weir_result close_null(struct weir_mux *mux)
{
    free(mux);
    return WEIR_OK;
}

const struct weir_mux_ops weir_mux_null = {
    .open = open_null,
    .write = write_null,
    .close = close_null,
};

// A text file with a line a packet: time stamp [ns], size [bytes], FNV-1a 64.
struct hash {
    struct weir_mux base;
    struct weir_file file;
};

static enum weir_result open_hash(const struct weir_mux_params *params, struct weir_mux **out)
{
    struct hash *hash = weir_mux_make(sizeof(*hash), &weir_mux_hash, &params->log);
    if (!hash) {
        return WEIR_ERROR_OUT_OF_MEMORY;
    }
    const enum weir_result result = weir_file_open(&hash->file, params->path, &params->log);
    if (result != WEIR_OK) {
        free(hash);
        return result;
    }
    *out = &hash->base;
    return WEIR_OK;
}

static enum weir_result write_hash(struct weir_mux *mux, const struct weir_mux_packet *packet)
{
    struct hash *hash = (struct hash *)mux;
    char line[64];
    const int size = snprintf(line, sizeof(line), "%" PRIu64 " %" PRIu32 " %016" PRIx64 "\n",
                              packet->time_ns, packet->size,
                              weir_fnv(WEIR_FNV_START, packet->data, packet->size));
    weir_file_write(&hash->file, (const uint8_t *)line, (size_t)size);
    return weir_file_commit(&hash->file);
}

static enum weir_result close_hash(struct weir_mux *mux)
{
    struct hash *hash = (struct hash *)mux;
    const enum weir_result result = weir_file_close(&hash->file);
    free(hash);
    return result;
}

const struct weir_mux_ops weir_mux_hash = {
    .open = open_hash,
    .write = write_hash,
    .close = close_hash,
};

// Hands packets to the host program.
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
                    "weir_capture_params.callbacks.%s returned %s: the capture writes nothing more",
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

static enum weir_result write_samples(struct callback *callback,
                                      const struct weir_mux_packet *packet)
{
    const struct weir_capture_audio_packet given = {
        .track = packet->track - 1,
        .data = packet->data,
        .num_samples = packet->num_samples,
        .size = packet->size,
        .pts = (int64_t)packet->ticks,
    };
    return check(&callback->log, "audio", callback->host.audio(callback->host.user, &given));
}

static enum weir_result write_callback(struct weir_mux *mux, const struct weir_mux_packet *packet)
{
    struct callback *callback = (struct callback *)mux;
    if (packet->track > 0) {
        return write_samples(callback, packet);
    }
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

static void end_callback(struct weir_mux *mux, uint64_t ticks)
{
    const struct callback *callback = (struct callback *)mux;
    if (callback->host.end) {
        callback->host.end(callback->host.user, (int64_t)(ticks - callback->first_ticks));
    }
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
    .end = end_callback,
    .close = close_callback,
};
