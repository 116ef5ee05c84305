// SPDX-License-Identifier: MIT
// What a test of one file expects.
#ifndef WEIR_TESTS_UNIT_EXPECT_H
#define WEIR_TESTS_UNIT_EXPECT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

static int num_failures;

// Count what is not so, and print the first 20 of it.
__attribute__((format(printf, 2, 3))) static inline void expect(bool is_so, const char *format, ...)
{
    if (is_so || num_failures++ >= 20) {
        return;
    }
    va_list args;
    va_start(args, format);
    printf("not so: ");
    vprintf(format, args);
    printf("\n");
    va_end(args);
}

// Print the number of failures, and get the exit status.
static inline int expect_finish(void)
{
    printf("%d failures\n", num_failures);
    return num_failures != 0;
}

#endif
