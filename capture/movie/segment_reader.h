// SPDX-License-Identifier: MIT
// What a movie says of the recording that it is a segment of.
#ifndef WEIR_CAPTURE_MOVIE_SEGMENT_READER_H
#define WEIR_CAPTURE_MOVIE_SEGMENT_READER_H

#include "capture/movie/box_reader.h"
#include "capture/movie/segment.h"

// Find the box before the first moov or mdat of a movie. False: there is none, so the movie is no
// segment.
bool weir_segment_read(struct weir_view *view, struct weir_segment *segment);

#endif
