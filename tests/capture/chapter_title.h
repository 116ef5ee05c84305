// SPDX-License-Identifier: MIT
// Titles of chapters, drawn at random.
#ifndef WEIR_TESTS_CAPTURE_CHAPTER_TITLE_H
#define WEIR_TESTS_CAPTURE_CHAPTER_TITLE_H

#include <stddef.h>

#include <weir/chapter.h>

// Draw a title of characters of 1 to 4 bytes, of at most `max_size` bytes, or of one.
void draw_chapter_title(char title[WEIR_MAX_CHAPTER_TITLE + 1], size_t max_size);

#endif
