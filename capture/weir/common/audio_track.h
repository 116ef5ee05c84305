// SPDX-License-Identifier: MIT
// What the program says of an audio track.
#ifndef WEIR_CAPTURE_WEIR_COMMON_AUDIO_TRACK_H
#define WEIR_CAPTURE_WEIR_COMMON_AUDIO_TRACK_H

#include "capture/base/json.h"
#include "capture/movie/audio_reader.h"

// Print a line for track number `number`, counted from 1, of so many samples.
void cli_audio_track_print(const struct weir_audio_track_found *track, uint32_t number,
                           uint64_t num_samples);

// Write it as an object of an array.
void cli_audio_track_json(struct weir_json *json, const struct weir_audio_track_found *track,
                          uint64_t num_samples);

#endif
