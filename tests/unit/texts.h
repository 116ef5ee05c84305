// SPDX-License-Identifier: MIT
// For tests of what reads texts of command lines: texts of random letters.
#ifndef WEIR_TESTS_UNIT_TEXTS_H
#define WEIR_TESTS_UNIT_TEXTS_H

#include <stddef.h>

// Draw a text of some of the letters, at most `size` - 1 of them.
void texts_draw(const char *letters, char *text, size_t size);

#endif
