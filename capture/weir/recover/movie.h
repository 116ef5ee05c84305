// SPDX-License-Identifier: MIT
// Recovers one movie.
#ifndef WEIR_CAPTURE_WEIR_RECOVER_MOVIE_H
#define WEIR_CAPTURE_WEIR_RECOVER_MOVIE_H

#include <weir/result.h>

#include "capture/weir/common/progress.h"
#include "capture/weir/recover/find.h"

struct recover_movie {
    const char *input;
    const char *output; // the new file; NULL: the input itself, or nothing in a dry run
    bool in_place, dry_run;
    struct recover_params params; // but for its source
    struct cli_progress *progress;
    // What became of it.
    struct recover_found found;
    bool is_written;
    int fd;
};

// Find what is left of it, and write that. A failure is reported, and changes nothing. Call
// recover_movie_finish() in any case.
enum weir_result recover_movie_run(struct recover_movie *movie);
void recover_movie_finish(struct recover_movie *movie);

#endif
