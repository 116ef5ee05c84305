// SPDX-License-Identifier: MIT
// Movies in memory for tests of recovery: as they grew, as they were closed, and where everything
// lies in them; changes of their bytes, and what must be recovered then.
#pragma once

#include <weir/movie.h>

#include "capture/weir/recover/recover.h"

enum { MOVIE_MAX_FRAMES = 128, MOVIE_MAX_FRAGMENTS = 3 * MOVIE_MAX_FRAMES, MOVIE_MOOF_SIZE = 108 };

struct movie_bytes {
    uint8_t *bytes;
    size_t size;
};

// A moof box of MOVIE_MOOF_SIZE bytes with the header of its mdat box, and its data.
struct movie_fragment {
    size_t begin, end;
    uint32_t track; // 1: frames; from 2 on: audio
};

struct movie {
    uint32_t width, height, num_frames;
    struct movie_bytes growing, closed; // the same up to the index, but for 16 bytes
    struct movie_fragment fragments[MOVIE_MAX_FRAGMENTS]; // in both
    uint32_t num_fragments;
    size_t moofs[MOVIE_MAX_FRAMES]; // where the fragments of frames begin
    struct weir_piece frames[MOVIE_MAX_FRAMES];
};

enum movie_packing { MOVIE_STORED, MOVIE_SNAPPY, MOVIE_CHUNKS };

struct movie_params {
    enum weir_movie_codec codec;
    uint32_t width, height, num_frames;
    enum movie_packing packing;
    // Draws what a track has behind each frame, `audio_size` bytes.
    const struct weir_audio_track *tracks;
    uint32_t num_tracks, audio_size;
    void (*draw_audio)(void *user, uint32_t track, uint32_t frame, uint8_t *bytes, uint32_t size);
    void *user;
    struct weir_timecode timecode; // of the first frame
};

// Make a movie of random blocks, 60 a second, through the sink that captures use.
void movie_make(struct movie *movie, const struct movie_params *params);
void movie_finish(struct movie *movie);

// Read a file. Free its bytes.
struct movie_bytes movie_read(const char *path);

// Get a copy of the first bytes, in memory that ends where they do.
struct movie_bytes movie_copy(const struct movie_bytes *movie, size_t size);

// The bytes begin .. end - 1 are lost, and `size` other ones are in their place.
struct movie_change {
    const char *what;
    size_t begin, end; // end = SIZE_MAX: cut at `begin`
    size_t size;
};

// Get a changed copy. The other bytes are random.
struct movie_bytes movie_changed(const struct movie_bytes *movie,
                                 const struct movie_change *change);

// Get where a byte of the movie lies behind a change; UINT64_MAX: it is lost.
uint64_t movie_place_of(const struct movie_change *change, uint64_t offset);

// The source of bytes in memory. `user` is a struct movie_bytes.
struct weir_view_source movie_source(struct movie_bytes *bytes);

// Look for the frames of a movie, whose size and rate are known. Finish `found`.
bool movie_find(const struct movie *movie, struct weir_view_source source, bool checks_all,
                struct recover_found *found);

// Check that all frames are found that the change does not touch, in their places and with their
// times, and nothing else but frames that it touches.
void movie_expect(const struct movie *movie, const struct movie_change *change, bool is_found,
                  const struct recover_found *found);

// The same of a changed file, whose bytes are freed.
void movie_check(const struct movie *movie, const struct movie_change *change,
                 struct movie_bytes file);

// Get frame `i` of those that were found.
const struct weir_piece *movie_found_frame(const struct recover_found *found, size_t i);

// Write what is recovered of a file to a new one. False: it is refused. Finish `found`.
bool movie_recover(struct movie_bytes *movie, const char *output, struct recover_found *found);
