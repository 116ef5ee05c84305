// SPDX-License-Identifier: MIT
// The origin of a movie: a box at its end says that it is complete, and what it was made of.
#ifndef WEIR_CAPTURE_WEIR_TRANSCODE_ORIGIN_H
#define WEIR_CAPTURE_WEIR_TRANSCODE_ORIGIN_H

#include <stdbool.h>
#include <stdint.h>

struct transcode_origin {
    uint64_t input;   // a number for the names, sizes and times of the input's files
    uint64_t options; // cli_options_digest()
};

// Fill in `input` and get the size of the files [bytes]. False if there are no files, as of a URL,
// or they cannot be read: nobody can tell whether such an input is the same later.
bool transcode_origin_find(struct transcode_origin *origin, const char *path, uint64_t *size);

// What there is of a movie.
enum transcode_state {
    TRANSCODE_MISSING,
    TRANSCODE_NOT_COMPLETE, // or made by another program
    TRANSCODE_OTHER_INPUT,  // it was another one, or has changed
    TRANSCODE_OTHER_OPTIONS,
    TRANSCODE_COMPLETE,
};
enum transcode_state transcode_origin_compare(const struct transcode_origin *origin,
                                              const char *movie);

// Append the box to a complete movie. A failure is a warning, and leaves the movie as it is.
void transcode_origin_write(const struct transcode_origin *origin, const char *movie);

#endif
