// SPDX-License-Identifier: MIT
// What weir info says of a movie.
#ifndef WEIR_CAPTURE_WEIR_INFO_MOVIE_H
#define WEIR_CAPTURE_WEIR_INFO_MOVIE_H

#include <stdbool.h>

#include <weir/result.h>

// Print a movie of HAP, or several as a JSON array. A failure is reported, and does not stop the
// others. Returns the first one.
enum weir_result info_movies_print(char *const *paths, bool as_json);

#endif
