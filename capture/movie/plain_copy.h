// SPDX-License-Identifier: MIT
// The plain form of a movie, made of the head of a fragmented one.
#ifndef WEIR_CAPTURE_MOVIE_PLAIN_COPY_H
#define WEIR_CAPTURE_MOVIE_PLAIN_COPY_H

#include "capture/movie/movie.h"

// The moov box at the head of a fragmented movie.
struct weir_plain_head {
    const uint8_t *moov;
    size_t size; // [bytes]
};

// Make the moov box of a plain movie: the moov of `head` without mvex, which announces fragments,
// and with the tables of the places of frames and samples. Otherwise as weir_plain_make_moov().
uint8_t *weir_plain_copy_moov(const struct weir_movie *movie, const struct weir_plain_head *head,
                              size_t *size);

#endif
