// SPDX-License-Identifier: MIT
// The head of a movie, the boxes ftyp and moov, and its plain form: the moov box that lists every
// frame and all samples, and the bytes that hide the fragments before it.
#pragma once

#include "capture/movie/movie.h"

struct weir_head {
    uint8_t *bytes; // from malloc()
    size_t size;    // [bytes]
    size_t moov;    // where moov begins, the last box
};

// The size of the box that says what struct weir_segment has [bytes].
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

// Append the box stsd of a track, numbered as in pieces, and the tables of its samples: of one that
// has pieces, or empty ones. The time code has its one sample in any case.
void weir_head_write_description(struct weir_boxes *boxes, const struct weir_movie *movie,
                                 unsigned track);
void weir_head_write_tables(struct weir_boxes *boxes, const struct weir_movie *movie,
                            unsigned track, bool is_plain);

// Append the box chan, which says where channels are heard.
void weir_layout_write(struct weir_boxes *boxes, uint32_t layout);

// A flag of the description of time code: drop frame.
#define WEIR_TIMECODE_DROP_FRAME 1u

#define WEIR_PLAIN_PATCH_SIZE 16

// Get the largest size of the plain movie's moov box, where moov at its head has `head_size`
// [bytes].
uint64_t weir_plain_room(const struct weir_movie *movie, size_t head_size);

// Make the moov box of a plain movie. An audio track without a sample is left out. The sample of a
// time code stays at movie->timecode.offset, and lasts as long as the frames.
// NULL: out of memory, there is no frame, or more than a box can hold. The caller frees it.
uint8_t *weir_plain_make_moov(const struct weir_movie *movie, size_t *size);

// Write the bytes that turn the head of the first moov box into that of one large mdat box. Its
// size reaches from there to the moov box of the plain movie.
void weir_plain_write_patch(uint64_t mdat_size, uint8_t patch[WEIR_PLAIN_PATCH_SIZE]);
