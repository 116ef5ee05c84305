// SPDX-License-Identifier: MIT
// The chapters of a movie that a source reads.
#ifndef WEIR_CAPTURE_FILES_SOURCE_CHAPTERS_H
#define WEIR_CAPTURE_FILES_SOURCE_CHAPTERS_H

#include <libavformat/avformat.h>

#include "capture/files/source/source.h"

struct weir_source_chapters {
    struct weir_source_chapter *items; // in the order of their times
    size_t num;
};

// Take the chapters that an input states, by the clock of the movie. False: out of memory.
bool weir_source_chapters_read(struct weir_source_chapters *chapters,
                               const AVFormatContext *format);
void weir_source_chapters_finish(struct weir_source_chapters *chapters);

// Count their times from the first frame on, which is of `start_ns` by that clock, and leave out
// those that have ended by then or begin at `end_ns` or later, counted so.
void weir_source_chapters_settle(struct weir_source_chapters *chapters, int64_t start_ns,
                                 int64_t end_ns);

#endif
