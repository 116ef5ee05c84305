// SPDX-License-Identifier: MIT
// What every test says: what it expects, why it is skipped, and where its files are.
#define _XOPEN_SOURCE 700 // nftw
#include "tests/expect.h"

#include <ftw.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { MAX_PRINTED = 20 };

static atomic_int num_failures;
static char folder[64];

bool test_expect(bool is_so, const char *format, ...)
{
    if (!is_so && atomic_fetch_add(&num_failures, 1) < MAX_PRINTED) {
        char text[1024];
        va_list args;
        va_start(args, format);
        vsnprintf(text, sizeof(text), format, args);
        va_end(args);
        printf("not so: %s\n", text);
    }
    return is_so;
}

int test_num_failures(void)
{
    return atomic_load(&num_failures);
}

void test_must(bool is_so, const char *what)
{
    if (!is_so) {
        printf("not so: the test itself cannot go on without %s\n", what);
        exit(1);
    }
}

_Noreturn void test_skip(const char *why)
{
    printf("skipped: %s\n", why);
    exit(77);
}

const char *test_path(const char *name)
{
    static char paths[8][256];
    static unsigned next;
    if (!folder[0]) {
        snprintf(folder, sizeof(folder), "/tmp/weir-test-XXXXXX");
        test_must(mkdtemp(folder), "a folder");
        chmod(folder, 0777); // some tests drop their rights
    }
    char *path = paths[next++ % 8];
    snprintf(path, sizeof(paths[0]), "%s/%s", folder, name);
    return path;
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *place)
{
    (void)status;
    (void)type;
    (void)place;
    return remove(path);
}

int test_finish(void)
{
    if (folder[0]) {
        nftw(folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
        folder[0] = '\0';
    }
    printf("%d failures\n", test_num_failures());
    return test_num_failures() != 0;
}
