// SPDX-License-Identifier: MIT
// Snappy's format, read without decompressing: how long the data is, and if it is whole.
//
// Source: github.com/google/snappy, format_description.txt.
#ifndef WEIR_CAPTURE_MOVIE_SNAPPY_READER_H
#define WEIR_CAPTURE_MOVIE_SNAPPY_READER_H

#include "capture/movie/view.h"

// Read how many bytes the compressed data at `at` gives. Returns the size of that number itself,
// 0 if it is none.
uint32_t weir_snappy_read_length(struct weir_view *view, uint64_t at, uint64_t size,
                                 uint32_t *length);

// True if the `size` bytes at `at` decompress to the length that they announce.
bool weir_snappy_is_whole(struct weir_view *view, uint64_t at, uint64_t size);

#endif
