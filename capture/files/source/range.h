// SPDX-License-Identifier: MIT
// The range of a source: the part of its input that frames are given out of.
#ifndef WEIR_CAPTURE_FILES_SOURCE_RANGE_H
#define WEIR_CAPTURE_FILES_SOURCE_RANGE_H

#include "capture/files/source/source_parts.h"

// Get the first file of a sequence that is in the range, or the number of files.
size_t weir_range_first_file(const weir_source *source);

// True if the range ends at that time or before it.
bool weir_range_is_over(const weir_source *source, int64_t time_ns);

// Go from the first frame of the input, which is pending, to the first one of the range. Where the
// input can be searched it goes there, else it decodes what lies before. The facts of the input
// become those of the range.
// Errors: WEIR_ERROR_INVALID (the range is empty; the log says so), and those of reading.
enum weir_result weir_range_enter(weir_source *source);

#endif
