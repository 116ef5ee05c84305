// SPDX-License-Identifier: MIT
// What the name of a file says: its kind by its ending, its place among others, its number.
#ifndef WEIR_CAPTURE_FILES_SOURCE_NAME_H
#define WEIR_CAPTURE_FILES_SOURCE_NAME_H

#include <stdbool.h>
#include <stdint.h>

// True if a path ends as pictures do, or as movies do. Not for hidden files.
bool weir_name_is_picture(const char *path);
bool weir_name_is_movie(const char *path);

// Compare names in natural order, with the numbers in them as numbers: shot2.png comes before
// shot10.png. The answer is that of strcmp(); 0 also for names that differ in zeros alone.
int weir_name_compare(const char *a, const char *b);

// A number of more digits than fit into 64 bits, zeros before them aside.
enum { WEIR_PATTERN_MAX_DIGITS = 18 };
#define WEIR_PATTERN_TOO_LARGE UINT64_MAX

// A numbered name as printf writes it, as in "frame_%04d.png": text, %d or %04d, text.
struct weir_pattern {
    const char *folder; // of the path that was parsed, with its slash, may be empty
    int folder_length;
    char before[256], after[256];
    int width; // least number of digits
};

// False if the path is no such name.
bool weir_pattern_parse(const char *path, struct weir_pattern *pattern);

// Match a name against a pattern and read its number, or WEIR_PATTERN_TOO_LARGE. The text before
// and after the number must be equal, so a digit in the text after it does not count as part of
// the number.
bool weir_pattern_match(const struct weir_pattern *pattern, const char *name, uint64_t *number);

#endif
