// SPDX-License-Identifier: MIT
// What the name of a file says: its kind by its ending, and its place among others.
#ifndef WEIR_CAPTURE_FILES_SOURCE_NAME_H
#define WEIR_CAPTURE_FILES_SOURCE_NAME_H

#include <stdbool.h>

// True if a path ends as pictures do, or as movies do. Not for hidden files.
bool weir_name_is_picture(const char *path);
bool weir_name_is_movie(const char *path);

// Compare names in natural order, with the numbers in them as numbers: shot2.png comes before
// shot10.png. The answer is that of strcmp(); 0 also for names that differ in zeros alone.
int weir_name_compare(const char *a, const char *b);

#endif
