// SPDX-License-Identifier: MIT
#include "texts.h"

#include <stdio.h>
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

bool texts_next(const char **list, char text[TEXTS_SIZE])
{
    const size_t length = strcspn(*list, "|");
    snprintf(text, TEXTS_SIZE, "%.*s", (int)length, *list);
    *list += length + 1;
    return (*list)[-1] != 0;
}
