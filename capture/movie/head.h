// SPDX-License-Identifier: MIT
// The head of a movie: the boxes ftyp and moov, written from what is known of it.
#ifndef WEIR_CAPTURE_MOVIE_HEAD_H
#define WEIR_CAPTURE_MOVIE_HEAD_H

#include "capture/movie/movie.h"

struct weir_head {
    uint8_t *bytes; // from malloc()
    size_t size;    // [bytes]
    size_t moov;    // where moov begins, the last box
};

// The type of the box that says which segment of a recording a movie is, and the size of that box
// with what struct weir_segment has [bytes].
extern const uint8_t weir_segment_type[16];
#define WEIR_SEGMENT_BOX_SIZE (8 + 16 + WEIR_RECORDING_ID_SIZE + 4 + 4 + 8)

// Get the most that a head takes [bytes].
size_t weir_head_room(const struct weir_movie *movie);

// Make the head of a fragmented movie: ftyp, the box of a segment, and moov, which has the tracks
// with empty tables and announces fragments. The sample of a time code lies in its track, so that
// it is there as long as the head is; movie->timecode.offset gets its place. While the movie grows
// it lasts one frame. The caller frees `bytes`. False: out of memory.
bool weir_head_make(struct weir_movie *movie, struct weir_head *head);

// Append the box moov: with empty tables, or that of a plain movie with its tables and chapters.
// Returns where in `boxes` the sample of a time code lies, 0 without one.
size_t weir_head_write_moov(const struct weir_movie *movie, bool is_plain,
                            struct weir_boxes *boxes);

// Append the box of a segment, which stands between ftyp and moov. Players pass over it.
void weir_segment_write(const struct weir_segment *segment, struct weir_boxes *boxes);

#endif
