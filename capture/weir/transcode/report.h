// SPDX-License-Identifier: MIT
// What weir transcode says of its movies in JSON.
#ifndef WEIR_CAPTURE_WEIR_TRANSCODE_REPORT_H
#define WEIR_CAPTURE_WEIR_TRANSCODE_REPORT_H

#include <stdbool.h>

#include <weir/result.h>

#include "capture/base/json.h"
#include "capture/weir/movie/movie.h"

// Make the memory of params->report, and keep messages in it from now on. Prints the reason of a
// failure. Finish it in every case.
enum weir_result transcode_report_init(struct cli_movie_params *params);
void transcode_report_finish(struct cli_movie_params *params);

// Forget what it has of a movie before the next.
void transcode_report_clear(struct cli_movie_report *report);

// Write an object on a movie, params->output, whose making had this result, with what the movie
// says of itself. `is_kept`: it was complete, and was not made.
void transcode_report_json(struct weir_json *json, const struct cli_movie_params *params,
                           enum weir_result result, bool is_kept);

#endif
