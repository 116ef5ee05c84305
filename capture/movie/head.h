// SPDX-License-Identifier: MIT
// The head of a fragmented movie, made anew where the one of the file is lost.
#ifndef WEIR_CAPTURE_MOVIE_HEAD_H
#define WEIR_CAPTURE_MOVIE_HEAD_H

#include <stddef.h>

#include "capture/movie/track_reader.h"

#define WEIR_HEAD_ROOM 1024

// Write the boxes ftyp and moov. Returns their size; moov begins at WEIR_HEAD_MOOV.
size_t weir_head_write(const struct weir_track *track, uint8_t bytes[WEIR_HEAD_ROOM]);

#define WEIR_HEAD_MOOV 20

// The parts of it: ftyp; the tables of a track, which are empty; and mvex, which announces
// fragments of the tracks 1 .. num_tracks.
void weir_head_write_ftyp(struct weir_boxes *boxes);
void weir_head_write_tables(struct weir_boxes *boxes);
void weir_head_write_mvex(struct weir_boxes *boxes, uint32_t num_tracks);

#endif
