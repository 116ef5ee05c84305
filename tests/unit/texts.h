// SPDX-License-Identifier: MIT
// Lists of texts, for tests of what reads command lines. fuzz_options has texts of any letters.
#pragma once

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { TEXTS_SIZE = 64 };

// Get the next text of a list, in which each ends with "|". Returns false at the end.
static inline bool texts_next(const char **list, char text[TEXTS_SIZE])
{
    const size_t length = strcspn(*list, "|");
    snprintf(text, TEXTS_SIZE, "%.*s", (int)length, *list);
    *list += length + 1;
    return (*list)[-1] != 0;
}
