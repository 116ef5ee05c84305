// SPDX-License-Identifier: MIT
// The tables of a plain movie: when each frame is shown, and where frames and samples lie.
#ifndef WEIR_CAPTURE_MOVIE_TABLES_H
#define WEIR_CAPTURE_MOVIE_TABLES_H

#include "capture/movie/movie.h"

// The most that the tables of a track take beside their entries, and those of a piece [bytes].
#define WEIR_TABLES_FIXED_SIZE 128u
#define WEIR_TABLES_PIECE_SIZE 20u

// Append the tables of a track that has pieces: stts, stsc, stsz and co64.
void weir_tables_write(struct weir_boxes *boxes, const struct weir_movie *movie, unsigned track);

// Append those of a track of audio or pictures in a movie that grows, which are empty.
void weir_tables_write_empty(struct weir_boxes *boxes, unsigned track);

#endif
