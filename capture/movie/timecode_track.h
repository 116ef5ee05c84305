// SPDX-License-Identifier: MIT
// The track of a time code: boxes that are its own.
#ifndef WEIR_CAPTURE_MOVIE_TIMECODE_TRACK_H
#define WEIR_CAPTURE_MOVIE_TIMECODE_TRACK_H

#include <stddef.h>
#include <stdint.h>

#include "capture/movie/boxes.h"
#include "capture/movie/timecode.h"

// A flag of the description of the sample: drop frame.
#define WEIR_TIMECODE_DROP_FRAME 1u

// Append the boxes of the track that are its own: gmhd, which says how a player shows it; stsd; and
// the tables of its one sample. Returns the place of the number that says where that lies.
void weir_timecode_write_header(struct weir_boxes *boxes);
void weir_timecode_write_description(struct weir_boxes *boxes,
                                     const struct weir_timecode_track *track);
size_t weir_timecode_write_tables(struct weir_boxes *boxes, uint64_t duration, bool is_plain);

#endif
