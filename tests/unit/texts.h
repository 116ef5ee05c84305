// SPDX-License-Identifier: MIT
// For tests of what reads texts of command lines: texts of random letters, and lists of texts.
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { TEXTS_SIZE = 64 };

// Draw a text of some of the letters, at most `size` - 1 of them.
void texts_draw(const char *letters, char *text, size_t size);

// Get the next text of a list, in which each ends with "|". Returns false at the end.
bool texts_next(const char **list, char text[TEXTS_SIZE]);
