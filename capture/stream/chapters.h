// SPDX-License-Identifier: MIT
// The chapters that wait for the frames of their time, from any thread to the writer.
#ifndef WEIR_CAPTURE_STREAM_CHAPTERS_H
#define WEIR_CAPTURE_STREAM_CHAPTERS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include <weir/chapter.h>

#include "capture/stream/clock/clock.h"

struct weir_pending_chapter {
    int64_t time_ns; // by the host's clock
    char title[WEIR_MAX_CHAPTER_TITLE + 1];
};

struct weir_pending_chapters {
    struct weir_pauses *pauses;         // borrowed
    pthread_mutex_t lock;               // protects the members from here on
    struct weir_pending_chapter *items; // by their times; room for WEIR_MAX_CHAPTERS
    uint32_t num;
    bool has_left_out;
};

// False: out of memory.
bool weir_pending_chapters_init(struct weir_pending_chapters *chapters, struct weir_pauses *pauses);
void weir_pending_chapters_finish(struct weir_pending_chapters *chapters);

// Add a chapter, whose title is at most WEIR_MAX_CHAPTER_TITLE bytes long. False: there is no room;
// `is_first_left_out` says if it is the first one left out.
bool weir_pending_chapters_add(struct weir_pending_chapters *chapters,
                               const struct weir_pending_chapter *chapter, bool *is_first_left_out);

// Get and remove the first chapter that begins before `until_ns`, a time since `first_ns` by the
// movie clock. `time_ns` gets its own time since then, 0 for one before. False: there is none.
bool weir_pending_chapters_next(struct weir_pending_chapters *chapters, int64_t first_ns,
                                uint64_t until_ns, struct weir_pending_chapter *chapter,
                                uint64_t *time_ns);

#endif
