// SPDX-License-Identifier: MIT
// What a sidecar says, as JSON.
#include "capture/stream/sidecar_json.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>

#include <weir/version.h>

#include "capture/stream/stats.h"

enum { FORMAT = 2 };

static const char *const reasons[WEIR_NUM_DROP_REASONS_USED] = {
    [WEIR_DROP_RING_FULL] = "ring_full",
    [WEIR_DROP_TIME] = "time",
    [WEIR_DROP_SINK] = "sink",
    [WEIR_DROP_DEVICE] = "device",
};

// Append text. Names in it are the library's own, and need no escapes. A failure of the file stays.
static void print(struct weir_file *file, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void print(struct weir_file *file, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    const int size = vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    weir_file_write(file, (const uint8_t *)text, (size_t)size);
}

static void print_tracks(struct weir_file *file, const struct weir_mux_params *movie)
{
    static const char *const formats[] = {"s16", "s24", "s32", "f32"};
    print(file, "  \"audio_tracks\": [");
    for (uint32_t i = 0; i < movie->num_audio_tracks; i++) {
        const struct weir_audio_track *track = &movie->audio_tracks[i];
        print(file,
              "%s\n    {\"sample_rate\": %" PRIu32 ", \"num_channels\": %" PRIu32
              ", \"format\": \"%s\", \"language\": \"%.3s\"}",
              i > 0 ? "," : "", track->sample_rate, track->num_channels, formats[track->format],
              track->language[0] ? track->language : "und");
    }
    print(file, "%s],\n", movie->num_audio_tracks > 0 ? "\n  " : "");
}

void weir_sidecar_print_head(struct weir_file *file, const struct weir_capture_params *params,
                             const struct weir_mux_params *movie)
{
    static const char *const policies[] = {"drop", "wait"};
    static const char *const compressions[] = {"none", "snappy"};
    const struct weir_movie_codec_info *codec = weir_movie_codec_get_info(params->codec);
    const time_t now = time(NULL);
    struct tm utc;
    char opened[32] = "";
    if (gmtime_r(&now, &utc)) {
        strftime(opened, sizeof(opened), "%Y-%m-%dT%H:%M:%SZ", &utc);
    }
    print(file,
          "{\n  \"format\": %d,\n  \"weir_version\": \"%s\",\n  \"opened\": \"%s\",\n"
          "  \"codec\": \"%s\",\n  \"width\": %" PRIu32 ",\n  \"height\": %" PRIu32 ",\n"
          "  \"frame_rate\": [%" PRIu32 ", %" PRIu32 "],\n",
          FORMAT, weir_version(), opened, codec->name, movie->width, movie->height, movie->rate_num,
          movie->rate_den);
    print(file,
          "  \"max_rate\": [%" PRIu32 ", %" PRIu32 "],\n  \"ticks_per_second\": %" PRIu32 ",\n"
          "  \"compression\": \"%s\",\n  \"num_chunks\": %" PRIu32 ",\n  \"policy\": \"%s\",\n"
          "  \"num_slots\": %" PRIu32 ",\n  \"quality\": %" PRIu32 ",\n  \"rate\": %" PRIu64 ",\n",
          params->timing.max_rate.num, params->timing.max_rate.den, movie->ticks_per_second,
          compressions[params->rate.compression], params->rate.num_chunks, policies[params->policy],
          params->num_slots, params->rate.quality, params->rate.bytes_per_second);
    print_tracks(file, movie);
    print(file, "  \"drops\": [");
}

struct field {
    const char *name;
    uint64_t value;
};

static void print_fields(struct weir_file *file, const char *indent, const struct field *fields,
                         size_t num)
{
    for (size_t i = 0; i < num; i++) {
        print(file, "%s%s\"%s\": %" PRIu64, i > 0 ? ",\n" : "", indent, fields[i].name,
              fields[i].value);
    }
}

static void print_group(struct weir_file *file, const char *name, const struct field *fields,
                        size_t num)
{
    print(file, ",\n    \"%s\": {\n", name);
    print_fields(file, "      ", fields, num);
    print(file, "\n    }");
}

static void print_reasons(struct weir_file *file, const struct weir_capture_stats *stats)
{
    struct field fields[WEIR_NUM_DROP_REASONS_USED];
    for (int i = 0; i < WEIR_NUM_DROP_REASONS_USED; i++) {
        fields[i] = (struct field){reasons[i], stats->dropped_by_reason[i]};
    }
    print_group(file, "dropped_by_reason", fields, WEIR_NUM_DROP_REASONS_USED);
}

#define NUM(fields) (sizeof(fields) / sizeof((fields)[0]))

// Print a field with four digits behind the point, whatever the locale has for one.
static void print_real(struct weir_file *file, const char *name, double value)
{
    const uint64_t parts = (uint64_t)(value * 10000 + 0.5);
    print(file, ",\n      \"%s\": %" PRIu64 ".%04" PRIu64, name, parts / 10000, parts % 10000);
}

static void print_quality(struct weir_file *file, const struct weir_quality_stats *quality)
{
    const struct field fields[] = {
        {"frames", quality->frames},
        {"rate_short", quality->rate_short},
        {"rate_over", quality->rate_over},
    };
    print(file, ",\n    \"quality\": {\n");
    print_fields(file, "      ", fields, NUM(fields));
    print_real(file, "mean_db", quality->mean_db);
    print_real(file, "last", quality->last);
    print_real(file, "least", quality->least);
    print_real(file, "most", quality->most);
    print(file, "\n    }");
}

static void print_stats(struct weir_file *file, const struct weir_capture_stats *stats)
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
    print(file, "  \"statistics\": {\n");
    print_fields(file, "    ", frames, NUM(frames));
    print_reasons(file, stats);
    print_group(file, "replay", replay, NUM(replay));
    print_group(file, "audio", audio, NUM(audio));
    print_quality(file, &stats->quality);
    print(file, "\n  }\n}\n");
}

void weir_sidecar_print_drop(struct weir_file *file, const struct weir_sidecar_drop *drop,
                             bool is_first)
{
    print(file, "%s\n    {\"frame\": %" PRIu64 ", \"time_ns\": %" PRId64 ", \"reason\": \"%s\"}",
          is_first ? "" : ",", drop->number, drop->time_ns, reasons[drop->reason]);
}

void weir_sidecar_print_end(struct weir_file *file, const struct weir_sidecar_end *end,
                            bool has_drop, uint64_t num_not_listed)
{
    print(file, "%s],\n  \"num_drops_not_listed\": %" PRIu64 ",\n", has_drop ? "\n  " : "",
          num_not_listed);
    print(file,
          "  \"first_time_ns\": %" PRId64 ",\n  \"last_time_ns\": %" PRId64
          ",\n  \"result\": \"%s\",\n",
          end->first_ns, end->last_ns, weir_result_name(end->result));
    print_stats(file, &end->stats);
}
