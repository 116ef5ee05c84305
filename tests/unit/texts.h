// SPDX-License-Identifier: MIT
// For tests of what reads texts of command lines: texts of random letters.
#pragma once

#include <stddef.h>

// Draw a text of some of the letters, at most `size` - 1 of them.
void texts_draw(const char *letters, char *text, size_t size);
