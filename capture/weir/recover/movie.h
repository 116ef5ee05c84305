// SPDX-License-Identifier: MIT
// Recovers one movie.
#ifndef WEIR_CAPTURE_WEIR_RECOVER_MOVIE_H
#define WEIR_CAPTURE_WEIR_RECOVER_MOVIE_H

#include <weir/result.h>

#include "capture/base/json.h"
#include "capture/weir/common/progress.h"
#include "capture/weir/recover/find.h"

struct recover_movie {
    const char *input;
    const char *output; // the new file; NULL: the input itself, or nothing in a dry run
    bool in_place, dry_run;
    struct recover_params params; // but for its source
    struct cli_progress *progress;
    // What became of it.
    enum weir_result result;
    struct recover_found found; // if the result is WEIR_OK
    bool is_written;
    int fd;
};

// Find what is left of it, and write that. A failure is reported, and changes nothing. Call
// recover_movie_finish() in any case.
void recover_movie_run(struct recover_movie *movie);
void recover_movie_finish(struct recover_movie *movie);

// Print a line on a movie that did not fail.
void recover_report_print(const struct recover_movie *movie);

// Write an object on a movie: the whole output, or one of an array.
void recover_report_print_json(const struct recover_movie *movie, struct weir_json *json);

#endif
