// SPDX-License-Identifier: MIT
// Chapters of a movie: their times and titles, and the box that holds them.
#ifndef WEIR_CAPTURE_MOVIE_CHAPTERS_H
#define WEIR_CAPTURE_MOVIE_CHAPTERS_H

#include <stddef.h>
#include <stdint.h>

#include <weir/chapter.h>

#include "capture/movie/boxes.h"

#define WEIR_CHAPTER_UNITS_PER_SECOND 10000000u
// The bytes of a chapter in its box without the title: its time, and the size of the title.
#define WEIR_CHAPTER_FIXED_SIZE 9u

struct weir_chapter {
    uint64_t time; // since the beginning of the movie [100 ns]
    char title[WEIR_MAX_CHAPTER_TITLE + 1];
};

// Zero it first.
struct weir_chapters {
    struct weir_chapter *items; // in the order of their times. NULL: none was added
    uint32_t num;
};

// Add a chapter, behind others of its time. Of a longer title the beginning is kept.
// WEIR_DROPPED: there are WEIR_MAX_CHAPTERS. Errors: WEIR_ERROR_OUT_OF_MEMORY.
enum weir_result weir_chapters_add(struct weir_chapters *chapters, uint64_t time,
                                   const char *title);
void weir_chapters_finish(struct weir_chapters *chapters);

// Convert ticks to the time of a chapter, rounded to the nearest.
uint64_t weir_chapter_time(uint64_t ticks, uint32_t ticks_per_second);

// Move a time by ticks, not below 0. What is the time of a tick becomes that of another one.
uint64_t weir_chapter_moved(uint64_t time, int64_t ticks, uint32_t ticks_per_second);

// Count times from a tick on: the chapter that has begun by then begins with it, and those before
// that one are left out.
void weir_chapters_rebase(struct weir_chapters *chapters, uint64_t start,
                          uint32_t ticks_per_second);

// Leave out the chapters that begin at a time or after it. Returns how many.
uint32_t weir_chapters_cut(struct weir_chapters *chapters, uint64_t end);

// Get the size of the box udta with the chapters [bytes], and append it; without a chapter there is
// none.
size_t weir_chapters_size(const struct weir_chapters *chapters);
void weir_chapters_write(const struct weir_chapters *chapters, struct weir_boxes *boxes);

#endif
