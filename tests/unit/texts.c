// SPDX-License-Identifier: MIT
// For tests of what reads texts of command lines: expectations, and texts of random letters.
#include "texts.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tests/seeded.h"

static int num_failures;

void texts_expect(bool condition, const char *text, const char *format, ...)
{
    if (condition || num_failures++ >= 20) {
        return;
    }
    va_list args;
    va_start(args, format);
    printf("FAILED: \"%s\": ", text);
    vprintf(format, args);
    printf("\n");
    va_end(args);
}

void texts_draw(const char *letters, char *text, size_t size)
{
    const int num_letters = (int)strlen(letters), length = seeded_below((int)size - 1);
    for (int i = 0; i < length; i++) {
        text[i] = letters[seeded_below(num_letters)];
    }
    text[length] = 0;
}

int texts_finish(void)
{
    printf("%s\n", num_failures == 0 ? "passed" : "failed");
    return num_failures > 0;
}
