// SPDX-License-Identifier: MIT
// weir transcode: one movie of all inputs, or one of each, and what is said of them in JSON.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <weir/result.h>

#include "capture/base/json.h"
#include "capture/weir/movie/movie.h"

// Make the movie params->output of the inputs, and print a line on it. Prints the reason of a
// failure, and what the movie holds.
enum weir_result transcode_movie(struct cli_movie_params *params);

// Copy the part params.range of a movie whose input is open, if that is HAP of the same codec, and
// print a line on it. `*result`: that of cli_movie_write(); the reason of a failure is printed.
// False: it has to be encoded. If the input is HAP, a line says why.
bool transcode_cut(struct cli_movie *movie, enum weir_result *result);

// Make a movie of each input in the folder params->output, which is made if it is missing, and
// print a line on each and one on all. For one that fails the reason is printed; the others are
// made. `options` is the number of all that decides what they become (cli_options_digest()).
// `resumes`: leave movies as they are that are complete, made of the same input with the same
// options. With params->report, an array on all movies is written to standard output.
// Returns the last failure.
enum weir_result transcode_each(struct cli_movie_params *params, uint64_t options, bool resumes);

// Make the memory of params->report, and keep messages in it from now on. Prints the reason of a
// failure. Finish it in every case.
enum weir_result transcode_report_init(struct cli_movie_params *params);
void transcode_report_finish(struct cli_movie_params *params);

// Write an object on a movie, params->output, whose making had this result, with what the movie
// says of itself. `is_kept`: it was complete, and was not made.
void transcode_report_json(struct weir_json *json, const struct cli_movie_params *params,
                           enum weir_result result, bool is_kept);
