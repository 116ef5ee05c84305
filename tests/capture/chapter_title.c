// SPDX-License-Identifier: MIT
// Titles of chapters, drawn at random.
#include "chapter_title.h"

#include <string.h>

#include "testing.h"

void draw_chapter_title(char title[WEIR_MAX_CHAPTER_TITLE + 1], size_t max_size)
{
    static const char *const letters[] = {
        "a", "Z", " ", "\"", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x8e\xac"};
    const size_t size = test_random() % (max_size + 1);
    title[0] = 'T'; // FFmpeg has no title for an empty one
    title[1] = 0;
    for (size_t at = 1; at + 4 <= size; at += strlen(title + at)) {
        strcpy(title + at, letters[test_random() % 7]);
    }
}
