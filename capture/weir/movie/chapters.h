// SPDX-License-Identifier: MIT
// The chapters of a movie that is made: those of the input, handed over beside the frames.
#ifndef WEIR_CAPTURE_WEIR_MOVIE_CHAPTERS_H
#define WEIR_CAPTURE_WEIR_MOVIE_CHAPTERS_H

#include <weir/capture.h>

#include "capture/files/source/source.h"

// Hand over the chapters from number `*next` on that begin at a time since the first frame or
// before it, and go on with those after them.
// Errors: those of weir_capture_chapter().
enum weir_result cli_chapters_send(const weir_source *source, weir_capture *capture,
                                   int64_t until_ns, size_t *next);

#endif
