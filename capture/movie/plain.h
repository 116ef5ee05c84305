// SPDX-License-Identifier: MIT
// The plain form of a movie: the moov box that lists every frame and all samples.
#ifndef WEIR_CAPTURE_MOVIE_PLAIN_H
#define WEIR_CAPTURE_MOVIE_PLAIN_H

#include "capture/movie/movie.h"

// The moov box at the head of a fragmented movie.
struct weir_plain_head {
    const uint8_t *moov;
    size_t size; // [bytes]
};

// Get the largest size of the plain movie's moov box [bytes].
uint64_t weir_plain_room(const struct weir_movie *movie, size_t head_size);

// Make the moov box of a plain movie. It is the moov of `head` without mvex, which announces
// fragments, and with the tables of the places of frames and samples. An audio track without a
// sample is left out. The sample of a time code stays in the head, and lasts as long as the frames.
// NULL: out of memory, there is no frame, or more than a box can hold. The caller frees it.
uint8_t *weir_plain_make_moov(const struct weir_movie *movie, const struct weir_plain_head *head,
                              size_t *size);

#endif
