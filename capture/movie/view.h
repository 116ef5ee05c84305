// SPDX-License-Identifier: MIT
// A view of the bytes of a file, read a window at a time. What cannot be read is answered as such,
// which a mapping into memory does not do.
#ifndef WEIR_CAPTURE_MOVIE_VIEW_H
#define WEIR_CAPTURE_MOVIE_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Where the bytes come from.
struct weir_view_source {
    // Read `size` bytes at `offset`, which lie in the file. False: they cannot be read.
    bool (*read)(void *user, uint64_t offset, uint8_t *bytes, size_t size);
    void *user;
    uint64_t size; // of the file [bytes]
};

struct weir_view {
    struct weir_view_source source;
    uint8_t *window;
    size_t room;    // of the window [bytes]
    uint64_t begin; // of what is in the window
    size_t filled;  // [bytes]
    bool failed;    // something could not be read
};

// Make a view that reads `room` bytes at a time. False: out of memory.
bool weir_view_init(struct weir_view *view, const struct weir_view_source *source, size_t room);
void weir_view_finish(struct weir_view *view);

// Get `size` bytes at `offset`, valid until the next call. NULL: they do not lie in the file,
// cannot be read, or are more than `room`.
const uint8_t *weir_view_at(struct weir_view *view, uint64_t offset, size_t size);

// Get as many bytes at `offset` as can be read at once, at most `room`; `size` gets how many. NULL:
// the next `size` bytes cannot be read. `offset` lies in the file.
const uint8_t *weir_view_stretch(struct weir_view *view, uint64_t offset, size_t *size);

#endif
