// SPDX-License-Identifier: MIT
// Boxes of a QuickTime movie, read from a file that may be damaged.
#ifndef WEIR_CAPTURE_MOVIE_BOX_READER_H
#define WEIR_CAPTURE_MOVIE_BOX_READER_H

#include "capture/movie/boxes.h"
#include "capture/movie/view.h"

// A box in a file: where it begins, where its payload does, and where it ends.
struct weir_box {
    uint32_t type;
    uint64_t begin, payload, end;
};

// Read the head of the box at `at`. A size of 0 is one up to `limit`. The box may end behind
// `limit`, as in a file that was cut. False: no box can begin there.
bool weir_box_read(struct weir_view *view, uint64_t at, uint64_t limit, struct weir_box *box);

// Find the first box of a type in a row of boxes from `at` to `limit`. False: there is none, or the
// row breaks before it.
bool weir_box_find(struct weir_view *view, uint64_t at, uint64_t limit, uint32_t type,
                   struct weir_box *box);

// Find the first box of a type in another one. False: as for weir_box_find().
bool weir_box_find_in(struct weir_view *view, const struct weir_box *parent, uint32_t type,
                      struct weir_box *box);

// Find it, and get the first `size` bytes of its payload. NULL: there is none, or it is shorter, or
// cannot be read.
const uint8_t *weir_box_open(struct weir_view *view, const struct weir_box *parent, uint32_t type,
                             size_t size, struct weir_box *box);

// Find the first description of samples in a box stbl, and get its first `size` bytes, with the
// head of its box. NULL: as for weir_box_open().
const uint8_t *weir_box_open_description(struct weir_view *view, const struct weir_box *stbl,
                                         size_t size, struct weir_box *entry);

#endif
