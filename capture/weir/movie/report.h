// SPDX-License-Identifier: MIT
// What is said of a movie that is made: lines for people, and facts for who asks later.
#ifndef WEIR_CAPTURE_WEIR_MOVIE_REPORT_H
#define WEIR_CAPTURE_WEIR_MOVIE_REPORT_H

#include <weir/capture.h>

#include "capture/weir/movie/movie.h"

// Print what the input is taken for.
void cli_movie_tell_of_input(const struct cli_movie *movie);

// Print a line on a movie that was made in so many seconds.
void cli_movie_summarize(const struct cli_movie *movie, const struct weir_capture_stats *stats,
                         double seconds);

// Print the state of the output after a failure. Without a frame the capture has not touched it: a
// file that is there is older, and stays. `closed`: the result of closing the capture.
void cli_movie_tell_of_output(const struct cli_movie *movie, const struct weir_capture_stats *stats,
                              enum weir_result closed);

// Print how many frames are not in the movie, and why. The capture waits for room, so none is lost
// for that.
void cli_movie_tell_of_losses(const struct cli_movie *movie,
                              const struct weir_capture_stats *stats);

// Note what is known when the input is open, and when the movie has ended.
void cli_movie_note_input(struct cli_movie_report *report, const struct cli_movie *movie);
void cli_movie_note_end(struct cli_movie_report *report, const struct cli_movie *movie,
                        const struct weir_capture_stats *stats, double seconds);

#endif
