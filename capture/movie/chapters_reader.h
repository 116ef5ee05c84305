// SPDX-License-Identifier: MIT
// The chapters of a movie, read from a file that may be damaged.
#ifndef WEIR_CAPTURE_MOVIE_CHAPTERS_READER_H
#define WEIR_CAPTURE_MOVIE_CHAPTERS_READER_H

#include "capture/movie/box_reader.h"
#include "capture/movie/chapters.h"

// Read the chapters that a moov box has, up to damage. Finish them in any case. False: out of
// memory.
bool weir_chapters_read(struct weir_view *view, const struct weir_box *moov,
                        struct weir_chapters *chapters);

#endif
