// SPDX-License-Identifier: MIT
// What the program says of a movie in JSON, whichever command does.
#ifndef WEIR_CAPTURE_WEIR_COMMON_MOVIE_JSON_H
#define WEIR_CAPTURE_WEIR_COMMON_MOVIE_JSON_H

#include "capture/base/json.h"
#include "capture/movie/segment.h"
#include "capture/movie/track_reader.h"

// Write its codec (null: unknown), its size, how many frames it has and how long it is.
void cli_movie_json(struct weir_json *json, const struct weir_track *track, uint64_t num_frames,
                    double seconds);

// Write which segment of a recording it is, or null for none.
void cli_segment_json(struct weir_json *json, bool is_segment, const struct weir_segment *segment);

#endif
