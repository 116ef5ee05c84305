// SPDX-License-Identifier: MIT
// Movies in memory for tests of recovery: as they grew, as they were closed, and where each frame
// lies in them; and what is recovered of them.
#ifndef WEIR_TESTS_CAPTURE_RECOVER_MOVIE_H
#define WEIR_TESTS_CAPTURE_RECOVER_MOVIE_H

#include <weir/movie.h>

#include "capture/weir/recover/find.h"

enum { MOVIE_MAX_FRAMES = 64 };

struct movie_bytes {
    uint8_t *bytes;
    size_t size;
};

struct movie {
    uint32_t width, height, num_frames, ticks_per_frame;
    struct movie_bytes growing, closed; // the same up to the index, but for 16 bytes
    size_t moofs[MOVIE_MAX_FRAMES];     // where the fragments begin in both
    struct weir_piece frames[MOVIE_MAX_FRAMES];
};

enum movie_packing { MOVIE_STORED, MOVIE_SNAPPY, MOVIE_CHUNKS };

struct movie_params {
    enum weir_movie_codec codec;
    uint32_t width, height, num_frames;
    enum movie_packing packing;
    // Draws the samples behind each frame, `sound_size` bytes of stereo, 16 bits. NULL: no sound.
    void (*draw_sound)(void *user, uint8_t *bytes, uint32_t size);
    void *user;
    uint32_t sound_size;
};

// Make a movie of random blocks through the sink that captures use.
void movie_make(struct movie *movie, enum weir_movie_codec codec, uint32_t width, uint32_t height,
                uint32_t num_frames, enum movie_packing packing);
void movie_make_with(struct movie *movie, const struct movie_params *params);
void movie_finish(struct movie *movie);

// Read a file. Free its bytes.
struct movie_bytes movie_read(const char *path);

// Write what is recovered of a movie to a new file. False: it is refused. Finish `found`.
bool movie_recover(struct movie_bytes *movie, const char *output, struct recover_found *found);

// Get frame `i` of those that were found.
const struct weir_piece *movie_found_frame(const struct recover_found *found, size_t i);

// A copy, in memory that ends where it does.
struct movie_bytes movie_copy(const struct movie_bytes *movie, size_t size);

// The source of bytes in memory. `user` is a struct movie_bytes.
struct weir_view_source movie_source(struct movie_bytes *bytes);

#endif
