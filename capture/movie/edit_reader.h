// SPDX-License-Identifier: MIT
// The edit list of a track: whether it plays as its tables have it.
#ifndef WEIR_CAPTURE_MOVIE_EDIT_READER_H
#define WEIR_CAPTURE_MOVIE_EDIT_READER_H

#include "capture/movie/box_reader.h"

// Read how long after the movie's beginning a track begins [ticks of `ticks_per_second`]: 0 without
// an edit list. False: the list is damaged, leaves out a part of the track, or plays it at another
// speed.
bool weir_edit_read_delay(struct weir_view *view, const struct weir_box *moov,
                          const struct weir_box *trak, uint64_t *delay);

#endif
