// SPDX-License-Identifier: MIT
// Boxes of a QuickTime movie, read from a file that may be damaged.
#ifndef WEIR_CAPTURE_FORMAT_BOX_READER_H
#define WEIR_CAPTURE_FORMAT_BOX_READER_H

#include "capture/format/boxes.h"
#include "capture/format/view.h"

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

#endif
