// SPDX-License-Identifier: MIT
// A disk that breaks, for the program that this is loaded into by LD_PRELOAD: of the files that
// Weir gives their names, the one of the number WEIR_FAILING_RENAME cannot have it.
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool fails(const char *from)
{
    static atomic_ulong num_calls;
    const char *failing = getenv("WEIR_FAILING_RENAME");
    const bool fails = failing && strstr(from, ".weir-") &&
                       atomic_fetch_add(&num_calls, 1) + 1 == strtoul(failing, NULL, 10);
    if (fails) {
        errno = EIO;
    }
    return fails;
}

int rename(const char *from, const char *to)
{
    int (*next)(const char *, const char *);
    void *symbol = dlsym(RTLD_NEXT, "rename");
    memcpy(&next, &symbol, sizeof(next));
    return fails(from) ? -1 : next(from, to);
}

int renameat(int from_folder, const char *from, int to_folder, const char *to)
{
    int (*next)(int, const char *, int, const char *);
    void *symbol = dlsym(RTLD_NEXT, "renameat");
    memcpy(&next, &symbol, sizeof(next));
    return fails(from) ? -1 : next(from_folder, from, to_folder, to);
}
