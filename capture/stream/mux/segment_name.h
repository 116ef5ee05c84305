// SPDX-License-Identifier: MIT
// The names of segments: take.001.mov, take.002.mov and so on for take.mov.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct weir_segment_name {
    char *base; // path of the recording; its folder is absolute
    char *path; // of the last segment that was asked for
    size_t room;
};

// Prepare the names for a path. The folder is the one that the path means now, wherever the program
// changes to later. False: out of memory. Call weir_segment_name_finish() in any case.
bool weir_segment_name_init(struct weir_segment_name *name, const char *path);
void weir_segment_name_finish(struct weir_segment_name *name);

// Get the path of a segment, which is valid until the next call. Numbers begin at 1; those above
// 999 have more digits.
const char *weir_segment_name_get(struct weir_segment_name *name, uint32_t number);
