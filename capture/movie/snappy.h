// SPDX-License-Identifier: MIT
// Snappy: compresses bytes, and reads compressed ones without decompressing. It has no memory of
// its own, so that nothing can fail while frames are recorded.
//
// Source: Snappy compressed format description (github.com/google/snappy, format_description.txt).
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "capture/movie/boxes.h"

// Get how many bytes weir_snappy_compress() writes at most for `size` bytes.
size_t weir_snappy_room(uint32_t size);

enum weir_snappy_content {
    WEIR_SNAPPY_ANY,
    // Blocks of textures whose halves of eight bytes come again, as rate-distortion optimisation
    // makes them. All of these are looked for, which takes longer where there are none.
    WEIR_SNAPPY_HALVES,
    // Of which many halves are as the one a block before, as those of alpha. Halves are looked for
    // with the byte before them too, which takes a quarter longer.
    WEIR_SNAPPY_SAME_HALVES,
};

// Compress `size` bytes into `out`. Returns the size of the result. Allocates nothing; takes 48 KiB
// of the stack. Thread-safe.
size_t weir_snappy_compress(const uint8_t *in, uint32_t size, enum weir_snappy_content content,
                            uint8_t *out);

// Read how many bytes the compressed data at `at` gives. Returns the size of that number itself,
// 0 if it is none.
uint32_t weir_snappy_read_length(struct weir_view *view, uint64_t at, uint64_t size,
                                 uint32_t *length);

// Decompress `size` bytes into the `length` that `out` has room for. False: they are damaged, or
// give another length.
bool weir_snappy_unpack(const uint8_t *in, size_t size, uint8_t *out, uint64_t length);

// True if the `size` bytes at `at` decompress to the length that they announce.
bool weir_snappy_is_whole(struct weir_view *view, uint64_t at, uint64_t size);
