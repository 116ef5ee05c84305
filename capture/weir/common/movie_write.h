// SPDX-License-Identifier: MIT
// Writes a plain movie of frames and samples that lie in files already, as the capture writes one:
// with the fragments that it grew by in it.
#ifndef WEIR_CAPTURE_WEIR_COMMON_MOVIE_WRITE_H
#define WEIR_CAPTURE_WEIR_COMMON_MOVIE_WRITE_H

#include <weir/result.h>

#include "capture/movie/movie.h"

struct cli_movie_target {
    const char *path;
    // Read bytes of a file. False: they cannot be read; the reason was printed if there is one
    // beside that.
    bool (*read)(void *user, uint32_t source, uint64_t offset, uint8_t *bytes, size_t size);
    const char *(*name)(void *user, uint32_t source);                // of a file, for messages
    bool (*progress)(void *user, uint64_t bytes, size_t num_frames); // false ends it
    void *user;
};

// Write a new file, under a temporary name until all of it is on the disk. A failure is reported,
// and leaves nothing.
enum weir_result cli_movie_write(const struct weir_movie *movie,
                                 const struct cli_movie_target *target);

#endif
