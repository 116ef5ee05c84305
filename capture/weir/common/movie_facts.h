// SPDX-License-Identifier: MIT
// What a movie of HAP says of itself: its pictures, its audio tracks, its place in a recording.
#ifndef WEIR_CAPTURE_WEIR_COMMON_MOVIE_FACTS_H
#define WEIR_CAPTURE_WEIR_COMMON_MOVIE_FACTS_H

#include <stdbool.h>
#include <stdint.h>

#include <weir/result.h>

#include "capture/base/json.h"
#include "capture/movie/chapters.h"
#include "capture/movie/segment_reader.h"
#include "capture/movie/track_reader.h"

struct cli_movie_facts {
    const char *path; // borrowed
    struct weir_moov moov;
    uint64_t size;                  // of the file [bytes]
    uint64_t num_frames, end_ticks; // 0 of one that was not closed
    uint64_t num_samples[WEIR_MOOV_MAX_AUDIO];
    struct weir_chapters chapters;
    bool is_segment;
    struct weir_segment segment;
};

// Read them; finish them in any case. Prints the reason of a failure, in the name of a command such
// as "weir info".
// Errors: WEIR_ERROR_IO, WEIR_ERROR_DATA (no movie of HAP, no index), WEIR_ERROR_OUT_OF_MEMORY.
enum weir_result cli_movie_facts_read(struct cli_movie_facts *facts, const char *command,
                                      const char *path);
void cli_movie_facts_finish(struct cli_movie_facts *facts);

double cli_movie_facts_seconds(const struct cli_movie_facts *facts);

// Write them as members of the object that is open: its path, pictures and length; and its tracks
// and chapters.
void cli_movie_facts_json(struct weir_json *json, const struct cli_movie_facts *facts);
void cli_movie_facts_json_audio(struct weir_json *json, const struct cli_movie_facts *facts);

#endif
