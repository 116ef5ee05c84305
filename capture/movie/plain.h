// SPDX-License-Identifier: MIT
// The plain form of a movie: the moov box that lists every frame and all samples, and the bytes
// that hide the fragments before it.
#ifndef WEIR_CAPTURE_MOVIE_PLAIN_H
#define WEIR_CAPTURE_MOVIE_PLAIN_H

#include "capture/movie/movie.h"

#define WEIR_PLAIN_PATCH_SIZE 16

// Get the largest size of the plain movie's moov box, where moov at its head has `head_size`
// [bytes].
uint64_t weir_plain_room(const struct weir_movie *movie, size_t head_size);

// Make the moov box of a plain movie. An audio track without a sample is left out. The sample of a
// time code stays at movie->timecode.offset, and lasts as long as the frames.
// NULL: out of memory, there is no frame, or more than a box can hold. The caller frees it.
uint8_t *weir_plain_make_moov(const struct weir_movie *movie, size_t *size);

// Append the tables of a track that has pieces: stts, stsc, stsz and co64.
void weir_plain_write_tables(struct weir_boxes *boxes, const struct weir_movie *movie,
                             unsigned track);

// Append those of a track of audio or pictures in a movie that grows, which are empty.
void weir_plain_write_empty_tables(struct weir_boxes *boxes, unsigned track);

// Write the bytes that turn the head of the first moov box into that of one large mdat box. Its
// size reaches from there to the moov box of the plain movie.
void weir_plain_write_patch(uint64_t mdat_size, uint8_t patch[WEIR_PLAIN_PATCH_SIZE]);

#endif
