// SPDX-License-Identifier: MIT
// The sidecar: a file of JSON beside a movie that says what it is, and which frames it lacks.
//
// Drops are written as they come, so that memory does not grow with them; what is known at the end
// follows them.
#include "capture/stream/sidecar.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <weir/version.h>

#include "capture/base/file.h"
#include "capture/stream/stats.h"

enum { NUM_PASSED = 4096, FORMAT = 1 };

struct weir_sidecar {
    struct weir_file file;
    struct weir_log log;
    struct weir_ring *ring;
    bool has_drop;

    // On their way to the writer: one producer, one consumer.
    struct weir_sidecar_drop passed[NUM_PASSED];
    _Atomic uint32_t head, tail; // counters, not wrapped; head is the producer's
    _Atomic uint64_t num_lost;   // that found no room
};

static const char *const reasons[WEIR_NUM_DROP_REASONS_USED] = {
    [WEIR_DROP_RING_FULL] = "ring_full",
    [WEIR_DROP_TIME] = "time",
    [WEIR_DROP_SINK] = "sink",
    [WEIR_DROP_DEVICE] = "device",
};

// Append text. Names in it are the library's own, and need no escapes. A failure of the file stays.
static void print(struct weir_sidecar *sidecar, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void print(struct weir_sidecar *sidecar, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    const int size = vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    weir_file_write(&sidecar->file, (const uint8_t *)text, (size_t)size);
}

static void print_tracks(struct weir_sidecar *sidecar, const struct weir_mux_params *movie)
{
    static const char *const formats[] = {"s16", "s24", "s32", "f32"};
    print(sidecar, "  \"audio_tracks\": [");
    for (uint32_t i = 0; i < movie->num_audio_tracks; i++) {
        const struct weir_audio_track *track = &movie->audio_tracks[i];
        print(sidecar,
              "%s\n    {\"sample_rate\": %" PRIu32 ", \"num_channels\": %" PRIu32
              ", \"format\": \"%s\", \"language\": \"%.3s\"}",
              i > 0 ? "," : "", track->sample_rate, track->num_channels, formats[track->format],
              track->language[0] ? track->language : "und");
    }
    print(sidecar, "%s],\n", movie->num_audio_tracks > 0 ? "\n  " : "");
}

static void print_head(struct weir_sidecar *sidecar, const struct weir_capture_params *params,
                       const struct weir_mux_params *movie)
{
    static const char *const policies[] = {"drop", "wait", "degrade"};
    static const char *const compressions[] = {"none", "snappy"};
    const struct weir_movie_codec_info *codec = weir_movie_codec_get_info(params->codec);
    const time_t now = time(NULL);
    struct tm utc;
    char opened[32] = "";
    if (gmtime_r(&now, &utc)) {
        strftime(opened, sizeof(opened), "%Y-%m-%dT%H:%M:%SZ", &utc);
    }
    print(sidecar,
          "{\n  \"format\": %d,\n  \"weir_version\": \"%s\",\n  \"opened\": \"%s\",\n"
          "  \"codec\": \"%s\",\n  \"width\": %" PRIu32 ",\n  \"height\": %" PRIu32 ",\n"
          "  \"frame_rate\": [%" PRIu32 ", %" PRIu32 "],\n",
          FORMAT, weir_version(), opened, codec->name, movie->width, movie->height, movie->rate_num,
          movie->rate_den);
    print(sidecar,
          "  \"max_rate\": [%" PRIu32 ", %" PRIu32 "],\n  \"ticks_per_second\": %" PRIu32 ",\n"
          "  \"compression\": \"%s\",\n  \"num_chunks\": %" PRIu32 ",\n  \"policy\": \"%s\",\n"
          "  \"num_slots\": %" PRIu32 ",\n",
          params->max_rate_num, params->max_rate_den, movie->ticks_per_second,
          compressions[params->compression], params->num_chunks, policies[params->policy],
          params->num_slots);
    print_tracks(sidecar, movie);
    print(sidecar, "  \"drops\": [");
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
        result = weir_file_open(&sidecar->file, name, &movie->log);
    } else {
        weir_log_printf(&movie->log, WEIR_LOG_ERROR, WEIR_LOG_CODE_OUT_OF_MEMORY, "no memory");
    }
    free(name);
    if (result != WEIR_OK) {
        free(sidecar);
        return result;
    }
    weir_file_make_atomic(&sidecar->file);
    sidecar->file.is_synced = movie->sync_ns > 0;
    print_head(sidecar, params, movie);
    *out = sidecar;
    return WEIR_OK;
}

void weir_sidecar_pass(struct weir_sidecar *sidecar, const struct weir_sidecar_drop *drop)
{
    if (!sidecar) {
        return;
    }
    const uint32_t head = atomic_load_explicit(&sidecar->head, memory_order_relaxed);
    const uint32_t num = head - atomic_load_explicit(&sidecar->tail, memory_order_acquire);
    if (num == NUM_PASSED) {
        atomic_fetch_add_explicit(&sidecar->num_lost, 1, memory_order_relaxed);
        return;
    }
    sidecar->passed[head % NUM_PASSED] = *drop;
    atomic_store_explicit(&sidecar->head, head + 1, memory_order_release);
    if (num + 1 == NUM_PASSED / 2) {
        weir_ring_wake(sidecar->ring); // no frame may come that would
    }
}

void weir_sidecar_write(struct weir_sidecar *sidecar, const struct weir_sidecar_drop *drop)
{
    if (sidecar) {
        print(sidecar,
              "%s\n    {\"frame\": %" PRIu64 ", \"time_ns\": %" PRId64 ", \"reason\": \"%s\"}",
              sidecar->has_drop ? "," : "", drop->number, drop->time_ns, reasons[drop->reason]);
        sidecar->has_drop = true;
    }
}

void weir_sidecar_write_passed(struct weir_sidecar *sidecar)
{
    if (!sidecar) {
        return;
    }
    uint32_t tail = atomic_load_explicit(&sidecar->tail, memory_order_relaxed);
    while (tail != atomic_load_explicit(&sidecar->head, memory_order_acquire)) {
        weir_sidecar_write(sidecar, &sidecar->passed[tail % NUM_PASSED]);
        atomic_store_explicit(&sidecar->tail, ++tail, memory_order_release);
    }
}

struct field {
    const char *name;
    uint64_t value;
};

static void print_fields(struct weir_sidecar *sidecar, const char *indent,
                         const struct field *fields, size_t num)
{
    for (size_t i = 0; i < num; i++) {
        print(sidecar, "%s%s\"%s\": %" PRIu64, i > 0 ? ",\n" : "", indent, fields[i].name,
              fields[i].value);
    }
}

static void print_reasons(struct weir_sidecar *sidecar, const struct weir_capture_stats *stats)
{
    struct field fields[WEIR_NUM_DROP_REASONS_USED];
    for (int i = 0; i < WEIR_NUM_DROP_REASONS_USED; i++) {
        fields[i] = (struct field){reasons[i], stats->dropped_by_reason[i]};
    }
    print(sidecar, ",\n    \"dropped_by_reason\": {\n");
    print_fields(sidecar, "      ", fields, WEIR_NUM_DROP_REASONS_USED);
    print(sidecar, "\n    }");
}

static void print_group(struct weir_sidecar *sidecar, const char *name, const struct field *fields,
                        size_t num)
{
    print(sidecar, ",\n    \"%s\": {\n", name);
    print_fields(sidecar, "      ", fields, num);
    print(sidecar, "\n    }");
}

#define NUM(fields) (sizeof(fields) / sizeof((fields)[0]))

static void print_stats(struct weir_sidecar *sidecar, const struct weir_capture_stats *stats)
{
    const struct field frames[] = {
        {"received", stats->received}, {"written", stats->written},
        {"dropped", stats->dropped},   {"skipped", stats->skipped},
        {"bytes", stats->bytes},       {"gpu_ns", stats->gpu_ns},
        {"host_ns", stats->host_ns},   {"host_max_ns", stats->host_max_ns},
        {"wait_ns", stats->wait_ns},   {"pack_ns", stats->pack_ns},
        {"write_ns", stats->write_ns}, {"repeated", stats->repeated},
        {"segments", stats->segments},
    };
    const struct weir_degrade_stats *degraded = &stats->degrade;
    const struct field degrade[] = {
        {"changes", degraded->changes},
        {"compression_ns", degraded->compression_ns},
        {"half_rate_ns", degraded->half_rate_ns},
        {"half_rate_frames", degraded->half_rate_frames},
        {"half_rate_skipped", degraded->half_rate_skipped},
    };
    const struct field replay[] = {
        {"written", stats->replay.written},
        {"failed", stats->replay.failed},
        {"missed", stats->replay.missed},
    };
    const struct weir_audio_stats *sound = &stats->audio;
    const struct field audio[] = {
        {"received", sound->received},
        {"written", sound->written},
        {"silence", sound->silence},
        {"dropped", sound->dropped},
        {"dropped_buffer_full", sound->dropped_by_reason[WEIR_AUDIO_DROP_BUFFER_FULL]},
        {"dropped_time", sound->dropped_by_reason[WEIR_AUDIO_DROP_TIME]},
        {"dropped_sink", sound->dropped_by_reason[WEIR_AUDIO_DROP_SINK]},
        {"dropped_pause", sound->dropped_by_reason[WEIR_AUDIO_DROP_PAUSE]},
    };
    print(sidecar, "  \"statistics\": {\n");
    print_fields(sidecar, "    ", frames, NUM(frames));
    print_reasons(sidecar, stats);
    print_group(sidecar, "degrade", degrade, NUM(degrade));
    print_group(sidecar, "replay", replay, NUM(replay));
    print_group(sidecar, "audio", audio, NUM(audio));
    print(sidecar, "\n  }\n}\n");
}

void weir_sidecar_close(struct weir_sidecar **out, const struct weir_sidecar_end *end)
{
    struct weir_sidecar *sidecar = *out;
    if (!sidecar) {
        return;
    }
    if (end->stats.written > 0) {
        weir_sidecar_write_passed(sidecar);
        print(sidecar, "%s],\n  \"num_drops_not_listed\": %" PRIu64 ",\n",
              sidecar->has_drop ? "\n  " : "", atomic_load(&sidecar->num_lost));
        print(sidecar,
              "  \"first_time_ns\": %" PRId64 ",\n  \"last_time_ns\": %" PRId64
              ",\n  \"result\": \"%s\",\n",
              end->first_ns, end->last_ns, weir_result_name(end->result));
        print_stats(sidecar, &end->stats);
        weir_file_commit(&sidecar->file);
    }
    if (weir_file_close(&sidecar->file) != WEIR_OK) {
        weir_log_printf(&sidecar->log, WEIR_LOG_WARNING, WEIR_LOG_CODE_SIDECAR_FAILED,
                        "the statistics beside the movie were not written; the movie does not need "
                        "them");
    }
    free(sidecar);
    *out = NULL;
}
