// SPDX-License-Identifier: MIT
// A numbered name as printf writes it, as in "frame_%04d.png".
#ifndef WEIR_CAPTURE_FILES_SOURCE_PATTERN_H
#define WEIR_CAPTURE_FILES_SOURCE_PATTERN_H

#include <stdbool.h>
#include <stdint.h>

// A number of more digits than fit into 64 bits, zeros before them aside.
enum { WEIR_PATTERN_MAX_DIGITS = 18 };
#define WEIR_PATTERN_TOO_LARGE UINT64_MAX

// Text, %d or %04d, text.
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
