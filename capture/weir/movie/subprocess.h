// SPDX-License-Identifier: MIT
// A movie that is made in a child process: a file may crash FFmpeg's libraries, and that ends
// neither the program nor what was recorded.
#ifndef WEIR_CAPTURE_WEIR_MOVIE_SUBPROCESS_H
#define WEIR_CAPTURE_WEIR_MOVIE_SUBPROCESS_H

#include <weir/result.h>

#include "capture/weir/common/paths.h"

// Call `make`, which makes the movie `output` of the inputs, in a child process, and wait for it.
// It prints the reason of a failure. If a signal kills it, the reason and what the movie holds are
// printed here, and no other file is left of it.
// Errors: those of `make`; WEIR_ERROR_IO if it was killed; WEIR_ERROR_OUT_OF_MEMORY.
enum weir_result cli_movie_make_in_subprocess(const struct cli_inputs *inputs, const char *output,
                                              enum weir_result (*make)(void *user), void *user);

#endif
