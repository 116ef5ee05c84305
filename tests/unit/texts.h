// SPDX-License-Identifier: MIT
// For tests of what reads texts of command lines: expectations, and texts of random letters.
#ifndef WEIR_TESTS_UNIT_TEXTS_H
#define WEIR_TESTS_UNIT_TEXTS_H

#include <stdbool.h>
#include <stddef.h>

// Count a failure when `condition` is false; of the first 20, print what was made of a text.
void texts_expect(bool condition, const char *text, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Draw a text of some of the letters, at most `size` - 1 of them.
void texts_draw(const char *letters, char *text, size_t size);

// Print the result, and get the exit status.
int texts_finish(void);

#endif
