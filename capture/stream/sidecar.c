// SPDX-License-Identifier: MIT
// The sidecar: a file of JSON beside a movie that says what it is, and which frames it lacks.
//
// Drops are written as they come, so that memory does not grow with them; what is known at the end
// follows them.
#include "capture/stream/sidecar.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <weir/version.h>

#include "capture/base/file.h"
#include "capture/base/json.h"
#include "capture/stream/stats.h"

enum { FORMAT = 2, NUM_SENT = 4096 };

#define NUM(fields) (sizeof(fields) / sizeof((fields)[0]))

struct weir_sidecar {
    struct weir_file file;
    struct weir_json json;
    struct weir_log log;
    struct weir_ring *ring;

    // On their way to the writer: one producer, one consumer.
    struct weir_sidecar_drop sent[NUM_SENT];
    _Atomic uint32_t head, tail; // counters, not wrapped; head is the producer's
    _Atomic uint64_t num_lost;   // that found no room
};

static const char *const reasons[WEIR_NUM_DROP_REASONS_USED] = {
    [WEIR_DROP_RING_FULL] = "ring_full",
    [WEIR_DROP_TIME] = "time",
    [WEIR_DROP_SINK] = "sink",
    [WEIR_DROP_DEVICE] = "device",
};

struct field {
    const char *name;
    uint64_t value;
};

static void write_fields(struct weir_json *json, const struct field *fields, size_t num)
{
    for (size_t i = 0; i < num; i++) {
        weir_json_integer(json, fields[i].name, fields[i].value);
    }
}

static void write_group(struct weir_json *json, const char *name, const struct field *fields,
                        size_t num)
{
    weir_json_begin_object(json, name);
    write_fields(json, fields, num);
    weir_json_end_object(json);
}

static void write_ratio(struct weir_json *json, const char *name, uint32_t num, uint32_t den)
{
    weir_json_begin_array(json, name);
    weir_json_integer(json, NULL, num);
    weir_json_integer(json, NULL, den);
    weir_json_end_array(json);
}

static void write_tracks(struct weir_json *json, const struct weir_mux_params *movie)
{
    static const char *const formats[] = {"s16", "s24", "s32", "f32"};
    weir_json_begin_array(json, "audio_tracks");
    for (uint32_t i = 0; i < movie->num_audio_tracks; i++) {
        const struct weir_audio_track *track = &movie->audio_tracks[i];
        weir_json_begin_object(json, NULL);
        weir_json_integer(json, "sample_rate", track->sample_rate);
        weir_json_integer(json, "num_channels", track->num_channels);
        weir_json_text(json, "format", formats[track->format]);
        weir_json_text(json, "language", track->language[0] ? track->language : "und");
        weir_json_end_object(json);
    }
    weir_json_end_array(json);
}

static void write_time(struct weir_json *json, const char *name)
{
    const time_t now = time(NULL);
    struct tm utc;
    char text[32] = "";
    if (gmtime_r(&now, &utc)) {
        strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &utc);
    }
    weir_json_text(json, name, text);
}

// Write what is known when the capture is opened, and begin the list of drops.
static void write_head(struct weir_json *json, const struct weir_capture_params *params,
                       const struct weir_mux_params *movie)
{
    static const char *const policies[] = {"drop", "wait"};
    static const char *const compressions[] = {"none", "snappy"};
    const struct weir_ratio max_rate = params->timing.max_rate;
    weir_json_begin_object(json, NULL);
    weir_json_integer(json, "format", FORMAT);
    weir_json_text(json, "weir_version", weir_version());
    write_time(json, "opened");
    weir_json_text(json, "codec", weir_movie_codec_get_info(params->codec)->name);
    weir_json_integer(json, "width", movie->format.width);
    weir_json_integer(json, "height", movie->format.height);
    write_ratio(json, "frame_rate", movie->rate_num, movie->rate_den);
    write_ratio(json, "max_rate", max_rate.num, max_rate.den);
    weir_json_integer(json, "ticks_per_second", movie->ticks_per_second);
    weir_json_text(json, "compression", compressions[params->rate.compression]);
    weir_json_integer(json, "num_chunks", params->rate.num_chunks);
    weir_json_text(json, "policy", policies[params->policy]);
    weir_json_integer(json, "num_slots", params->num_slots);
    weir_json_integer(json, "quality", params->rate.quality);
    weir_json_integer(json, "rate", params->rate.bytes_per_second);
    write_tracks(json, movie);
    weir_json_begin_array(json, "drops");
}

static void write_quality(struct weir_json *json, const struct weir_quality_stats *quality)
{
    weir_json_begin_object(json, "quality");
    weir_json_integer(json, "frames", quality->frames);
    weir_json_integer(json, "rate_short", quality->rate_short);
    weir_json_integer(json, "rate_over", quality->rate_over);
    weir_json_number(json, "mean_db", quality->mean_db);
    weir_json_number(json, "last", quality->last);
    weir_json_number(json, "least", quality->least);
    weir_json_number(json, "most", quality->most);
    weir_json_end_object(json);
}

static void write_reasons(struct weir_json *json, const struct weir_capture_stats *stats)
{
    weir_json_begin_object(json, "dropped_by_reason");
    for (int i = 0; i < WEIR_NUM_DROP_REASONS_USED; i++) {
        weir_json_integer(json, reasons[i], stats->dropped_by_reason[i]);
    }
    weir_json_end_object(json);
}

static void write_stats(struct weir_json *json, const struct weir_capture_stats *stats)
{
    const struct weir_audio_stats *sum = &stats->audio;
    const struct field frames[] = {
        {"received", stats->received}, {"written", stats->written},
        {"dropped", stats->dropped},   {"skipped", stats->skipped},
        {"bytes", stats->bytes},       {"gpu_ns", stats->gpu_ns},
        {"host_ns", stats->host_ns},   {"host_max_ns", stats->host_max_ns},
        {"wait_ns", stats->wait_ns},   {"pack_ns", stats->pack_ns},
        {"write_ns", stats->write_ns}, {"repeated", stats->repeated},
        {"segments", stats->segments},
    };
    const struct field replay[] = {
        {"written", stats->replay.written},
        {"failed", stats->replay.failed},
        {"missed", stats->replay.missed},
    };
    const struct field audio[] = {
        {"received", sum->received},
        {"written", sum->written},
        {"silence", sum->silence},
        {"dropped", sum->dropped},
        {"dropped_buffer_full", sum->dropped_by_reason[WEIR_AUDIO_DROP_BUFFER_FULL]},
        {"dropped_time", sum->dropped_by_reason[WEIR_AUDIO_DROP_TIME]},
        {"dropped_sink", sum->dropped_by_reason[WEIR_AUDIO_DROP_SINK]},
        {"dropped_pause", sum->dropped_by_reason[WEIR_AUDIO_DROP_PAUSE]},
    };
    weir_json_begin_object(json, "statistics");
    write_fields(json, frames, NUM(frames));
    write_reasons(json, stats);
    write_group(json, "replay", replay, NUM(replay));
    write_group(json, "audio", audio, NUM(audio));
    write_quality(json, &stats->quality);
    weir_json_end_object(json);
}

// End the list of drops, and write what is known at the end.
static void write_end(struct weir_json *json, const struct weir_sidecar_end *end, uint64_t num_lost)
{
    weir_json_end_array(json);
    weir_json_integer(json, "num_drops_not_listed", num_lost);
    weir_json_signed(json, "first_time_ns", end->first_ns);
    weir_json_signed(json, "last_time_ns", end->last_ns);
    weir_json_text(json, "result", weir_result_name(end->result));
    write_stats(json, &end->stats);
    weir_json_end_object(json);
}

enum weir_result weir_sidecar_open(const char *path, const struct weir_capture_params *params,
                                   const struct weir_mux_params *movie, struct weir_ring *ring,
                                   struct weir_sidecar **out)
{
    static const char ending[] = ".json";
    const size_t length = strlen(path);
    struct weir_sidecar *sidecar = malloc(sizeof(*sidecar));
    char *name = malloc(length + sizeof(ending));
    enum weir_result result = WEIR_ERROR_OUT_OF_MEMORY;
    if (sidecar && name) {
        memset(sidecar, 0, sizeof(*sidecar)); // touched before use
        memcpy(name, path, length);
        memcpy(name + length, ending, sizeof(ending));
        sidecar->ring = ring;
        sidecar->log = movie->log;
        result = weir_file_open_nofollow(&sidecar->file, name, &movie->log);
    } else {
        weir_log_printf(&movie->log, WEIR_LOG_ERROR, WEIR_LOG_CODE_OUT_OF_MEMORY, "no memory");
    }
    free(name);
    if (result != WEIR_OK) {
        free(sidecar);
        return result;
    }
    sidecar->file.is_atomic = true;
    sidecar->file.is_synced = movie->sync_ns > 0;
    sidecar->json.file = &sidecar->file;
    write_head(&sidecar->json, params, movie);
    *out = sidecar;
    return WEIR_OK;
}

void weir_sidecar_send(struct weir_sidecar *sidecar, const struct weir_sidecar_drop *drop)
{
    if (!sidecar) {
        return;
    }
    const uint32_t head = atomic_load_explicit(&sidecar->head, memory_order_relaxed);
    const uint32_t num = head - atomic_load_explicit(&sidecar->tail, memory_order_acquire);
    if (num == NUM_SENT) {
        atomic_fetch_add_explicit(&sidecar->num_lost, 1, memory_order_relaxed);
        return;
    }
    sidecar->sent[head % NUM_SENT] = *drop;
    atomic_store_explicit(&sidecar->head, head + 1, memory_order_release);
    if (num + 1 == NUM_SENT / 2) {
        weir_ring_wake(sidecar->ring); // no frame may come that would
    }
}

void weir_sidecar_write(struct weir_sidecar *sidecar, const struct weir_sidecar_drop *drop)
{
    if (sidecar) {
        weir_json_begin_object(&sidecar->json, NULL);
        weir_json_integer(&sidecar->json, "frame", drop->number);
        weir_json_signed(&sidecar->json, "time_ns", drop->time_ns);
        weir_json_text(&sidecar->json, "reason", reasons[drop->reason]);
        weir_json_end_object(&sidecar->json);
    }
}

void weir_sidecar_write_sent(struct weir_sidecar *sidecar)
{
    if (!sidecar) {
        return;
    }
    uint32_t tail = atomic_load_explicit(&sidecar->tail, memory_order_relaxed);
    while (tail != atomic_load_explicit(&sidecar->head, memory_order_acquire)) {
        weir_sidecar_write(sidecar, &sidecar->sent[tail % NUM_SENT]);
        atomic_store_explicit(&sidecar->tail, ++tail, memory_order_release);
    }
}

void weir_sidecar_close(struct weir_sidecar **out, const struct weir_sidecar_end *end)
{
    struct weir_sidecar *sidecar = *out;
    if (!sidecar) {
        return;
    }
    if (end->stats.written > 0) {
        weir_sidecar_write_sent(sidecar);
        write_end(&sidecar->json, end, atomic_load(&sidecar->num_lost));
        weir_file_commit(&sidecar->file);
    }
    if (weir_file_close(&sidecar->file) != WEIR_OK) {
        weir_log_printf(
            &sidecar->log, WEIR_LOG_WARNING, WEIR_LOG_CODE_SIDECAR_FAILED,
            "the statistics beside the movie were not written; the movie plays without them");
    }
    free(sidecar);
    *out = NULL;
}
