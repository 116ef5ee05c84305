// SPDX-License-Identifier: MIT
// What tests of the capture ask of programs and processes, on Windows: there is no other program,
// no child and no limit of files, and tests that cannot do without are not built.
#include "tests/capture/testing.h"

int test_run(char *output, size_t size, const char *format, ...)
{
    (void)size;
    (void)format;
    output[0] = '\0';
    return -1;
}

size_t test_read_command(uint8_t *bytes, size_t size, const char *format, const char *path)
{
    (void)bytes;
    (void)size;
    (void)format;
    (void)path;
    return 0;
}

long test_memory_kib(void)
{
    return 0; // is not known
}
