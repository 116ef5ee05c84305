// SPDX-License-Identifier: MIT
// What the program says of an audio track.
#include "capture/weir/common/audio_track.h"

#include <inttypes.h>
#include <stdio.h>

static uint32_t bits_of(const struct weir_audio_track_found *track)
{
    return track->sample_size / track->num_channels * 8;
}

void cli_audio_track_print(const struct weir_audio_track_found *track, uint32_t number,
                           uint64_t num_samples)
{
    char language[4];
    weir_audio_language(track, language);
    printf("  sound %" PRIu32 ": %" PRIu32 "-bit%s, %" PRIu32 " Hz, %" PRIu32 " channel%s%s%s, "
           "%.3f s\n",
           number, bits_of(track), track->is_float ? " float" : "", track->sample_rate,
           track->num_channels, track->num_channels == 1 ? "" : "s", language[0] ? ", " : "",
           language, (double)num_samples / track->sample_rate);
}

void cli_audio_track_json(struct weir_json *json, const struct weir_audio_track_found *track,
                          uint64_t num_samples)
{
    char language[4];
    weir_audio_language(track, language);
    weir_json_begin_object(json, NULL);
    weir_json_integer(json, "bits", bits_of(track));
    weir_json_bool(json, "float", track->is_float);
    weir_json_integer(json, "sample_rate", track->sample_rate);
    weir_json_integer(json, "channels", track->num_channels);
    weir_json_text(json, "language", language[0] ? language : NULL);
    weir_json_integer(json, "samples", num_samples);
    weir_json_end_object(json);
}
