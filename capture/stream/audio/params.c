// SPDX-License-Identifier: MIT
// The params of a capture's audio: their ranges and defaults.
#include "capture/stream/params.h"
#include "capture/stream/audio/audio.h"

#define DEFAULT_AUDIO_MS 4000
#define MIN_AUDIO_MS 200
#define MAX_AUDIO_MS 60000
#define MIN_SAMPLE_RATE 1000
#define MAX_SAMPLE_RATE 768000
#define MAX_CHANNELS 16

static enum weir_result check_audio_track(const struct weir_log *log,
                                          const struct weir_audio_track *track)
{
    if (track->sample_rate < MIN_SAMPLE_RATE || track->sample_rate > MAX_SAMPLE_RATE) {
        return weir_params_out_of_range(log, "audio_tracks.sample_rate", track->sample_rate,
                                        MIN_SAMPLE_RATE, MAX_SAMPLE_RATE);
    }
    if (track->num_channels < 1 || track->num_channels > MAX_CHANNELS) {
        return weir_params_out_of_range(log, "audio_tracks.num_channels", track->num_channels, 1,
                                        MAX_CHANNELS);
    }
    if (weir_audio_sample_size(track->format, 1) == 0) {
        return weir_fail(
            log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_UNKNOWN_VALUE,
            "weir_capture_params.audio.tracks.format has the unknown value %d; use one "
            "of enum weir_sample_format",
            (int)track->format);
    }
    bool is_language = track->language[0] == 0 || track->language[3] == 0;
    for (int i = 0; i < 3 && track->language[0] != 0; i++) {
        is_language = is_language && track->language[i] >= 'a' && track->language[i] <= 'z';
    }
    if (!is_language) {
        return weir_fail(log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_UNKNOWN_VALUE,
                         "weir_capture_params.audio.tracks.language is no code of ISO 639-2: use "
                         "three small letters such as \"eng\", or leave it empty");
    }
    return WEIR_OK;
}

enum weir_result weir_audio_check_params(const struct weir_log *log,
                                         struct weir_capture_params *params)
{
    if (params->audio.num_tracks > WEIR_MAX_AUDIO_TRACKS) {
        return weir_params_out_of_range(log, "audio.num_tracks", params->audio.num_tracks, 0,
                                        WEIR_MAX_AUDIO_TRACKS);
    }
    if (params->audio.num_tracks > 0 && !params->audio.tracks) {
        return weir_fail(log, WEIR_ERROR_INVALID, WEIR_LOG_CODE_NULL_ARGUMENT,
                         "weir_capture_params.audio.tracks is required for audio.num_tracks");
    }
    if (params->audio.num_tracks > 0 && params->sink == WEIR_SINK_HASH) {
        return weir_fail(log, WEIR_ERROR_UNSUPPORTED, WEIR_LOG_CODE_UNKNOWN_VALUE,
                         "weir_capture_params.audio.tracks: WEIR_SINK_HASH takes no audio, because "
                         "how samples are cut into packets differs from run to run; use MOV or "
                         "CALLBACK");
    }
    WEIR_TRY(weir_params_set_number(
        log, "audio.buffer_ms", &params->audio.buffer_ms,
        (struct weir_params_range){DEFAULT_AUDIO_MS, MIN_AUDIO_MS, MAX_AUDIO_MS}));
    for (uint32_t i = 0; i < params->audio.num_tracks; i++) {
        WEIR_TRY(check_audio_track(log, &params->audio.tracks[i]));
    }
    return WEIR_OK;
}
