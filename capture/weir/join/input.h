// SPDX-License-Identifier: MIT
// A movie that is joined with others: what it says of itself.
#ifndef WEIR_CAPTURE_WEIR_JOIN_INPUT_H
#define WEIR_CAPTURE_WEIR_JOIN_INPUT_H

#include "capture/movie/read.h"

enum { JOIN_REFUSAL_SIZE = 512 };

struct join_input {
    const char *path; // borrowed
    size_t number;    // in the order given, counted from 0
    struct weir_movie_found found;
};

// Read it. False: it cannot be joined, and `refusal` says why and what to do.
bool join_input_read(struct weir_view *view, struct join_input *input,
                     char refusal[JOIN_REFUSAL_SIZE]);

// Write a refusal as printf does. Returns false.
bool join_refuse(char refusal[JOIN_REFUSAL_SIZE], const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
