// SPDX-License-Identifier: MIT
// For tests of what reads texts of command lines: texts of random letters.
#include "texts.h"

#include <string.h>

#include "tests/seeded.h"

void texts_draw(const char *letters, char *text, size_t size)
{
    const int num_letters = (int)strlen(letters), length = seeded_below((int)size - 1);
    for (int i = 0; i < length; i++) {
        text[i] = letters[seeded_below(num_letters)];
    }
    text[length] = 0;
}
