// SPDX-License-Identifier: MIT
// The chapters that wait for the frames of their time, from any thread to the writer.
#ifndef WEIR_CAPTURE_STREAM_CHAPTER_QUEUE_H
#define WEIR_CAPTURE_STREAM_CHAPTER_QUEUE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include <weir/chapter.h>

#include "capture/stream/clock/pauses.h"

struct weir_chapter_waiting {
    int64_t time_ns; // by the host's clock
    char title[WEIR_MAX_CHAPTER_TITLE + 1];
};

struct weir_chapter_queue {
    struct weir_pauses *pauses;         // borrowed
    pthread_mutex_t lock;               // protects the members from here on
    struct weir_chapter_waiting *items; // by their times; room for WEIR_MAX_CHAPTERS
    uint32_t num;
    bool has_told_full;
};

// False: out of memory.
bool weir_chapter_queue_init(struct weir_chapter_queue *queue, struct weir_pauses *pauses);
void weir_chapter_queue_finish(struct weir_chapter_queue *queue);

// Add a chapter, whose title is at most WEIR_MAX_CHAPTER_TITLE bytes long. False: there is no room;
// `tells` says if it is the first time.
bool weir_chapter_queue_add(struct weir_chapter_queue *queue,
                            const struct weir_chapter_waiting *chapter, bool *tells);

// Take the first chapter that begins before `until_ns`, a time since `first_ns` by the movie clock.
// `time_ns` gets its own time since then, 0 for one before. False: there is none.
bool weir_chapter_queue_take(struct weir_chapter_queue *queue, int64_t first_ns, uint64_t until_ns,
                             struct weir_chapter_waiting *chapter, uint64_t *time_ns);

#endif
