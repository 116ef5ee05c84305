// SPDX-License-Identifier: MIT
// A movie that is put together of frames and samples which lie in files already.
#ifndef WEIR_CAPTURE_WEIR_REMUX_MOVIE_H
#define WEIR_CAPTURE_WEIR_REMUX_MOVIE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/movie/chapters.h"
#include "capture/movie/track_reader.h"

// A frame, or samples of sound that lie side by side.
struct remux_piece {
    uint64_t offset;  // in its file; of silence, that of the piece behind it
    uint64_t time;    // of its beginning [ticks of its track], of sound [samples]
    uint32_t size;    // [bytes]
    uint32_t source;  // the number of its file, counted from 0
    uint32_t number;  // of its fragment, counted from 1; 0: unknown
    uint8_t track;    // 0: a frame; n: sound of remux_movie.audio[n - 1]
    bool is_silence;  // samples that lie nowhere, and are zero
    bool is_untimed;  // of a frame nothing but itself is left
    bool is_doubtful; // it lies beside a damaged part
};

struct remux_audio {
    uint32_t sample_rate, sample_size; // [bytes], all channels together
};

// Zero it first.
struct remux_movie {
    const uint8_t *head; // ftyp and moov of a movie that grows, and what is between them. Borrowed
    size_t head_size;    // [bytes]
    size_t moov;         // where moov begins in it
    uint32_t ticks_per_second;
    uint32_t ticks_per_frame; // nominal, and what the last frame lasts
    struct remux_audio audio[WEIR_MOOV_MAX_AUDIO];
    uint32_t num_audio;
    bool has_timecode;                    // the head has a track of it
    const struct weir_chapters *chapters; // borrowed; NULL: none
    // In the order of the movie: the times of frames rise, and samples follow those before them.
    struct remux_piece *pieces;
    size_t num_pieces, room;
};

void remux_movie_finish(struct remux_movie *movie);

// False: out of memory.
bool remux_movie_add(struct remux_movie *movie, const struct remux_piece *piece);

// Get how many samples a piece has; 0: it is a frame.
uint32_t remux_piece_samples(const struct remux_movie *movie, const struct remux_piece *piece);

// Get how many samples a track of sound has, or how many frames track 0 has.
uint64_t remux_movie_length(const struct remux_movie *movie, uint32_t track);

// Make the index of pieces that lie at `offset` and behind it, each behind a fragment's head; 0:
// where they lie now. NULL: out of memory. The caller frees it.
uint8_t *remux_make_moov(const struct remux_movie *movie, uint64_t offset, size_t *size);

// Write the 16 bytes that turn the head of a moov box into that of one large mdat.
void remux_write_patch(uint64_t mdat_size, uint8_t patch[16]);

#endif
