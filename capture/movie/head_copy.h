// SPDX-License-Identifier: MIT
// The head of a fragmented movie, made of the moov box of a plain one: all that it says of the
// movie and its tracks, but for times and places.
#ifndef WEIR_CAPTURE_MOVIE_HEAD_COPY_H
#define WEIR_CAPTURE_MOVIE_HEAD_COPY_H

#include "capture/movie/track_reader.h"

// The most that a track takes, and the boxes around those of tracks [bytes].
#define WEIR_HEAD_MAX_TRACK (32u << 10)
#define WEIR_HEAD_MAX_REST 1024u

// Append mvhd of a moov box, without a duration. False: it is damaged.
bool weir_head_copy_mvhd(struct weir_view *view, const struct weir_box *moov,
                         struct weir_boxes *boxes);

// Append a track as number `number`, with empty tables and without edits or a duration. False: it
// is damaged or too long; what was appended is of no use then.
bool weir_head_copy_track(struct weir_view *view, const struct weir_box *trak, uint32_t number,
                          struct weir_boxes *boxes);

#endif
