// SPDX-License-Identifier: MIT
// A disk that breaks, for the program that this is loaded into by LD_PRELOAD: of the files that
// Weir gives their names, the one of the number WEIR_FAILING_RENAME cannot have it.
#define _GNU_SOURCE // RTLD_NEXT
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int rename(const char *from, const char *to)
{
    static atomic_ulong num_calls;
    int (*next)(const char *, const char *);
    void *symbol = dlsym(RTLD_NEXT, "rename");
    memcpy(&next, &symbol, sizeof(next));
    const char *failing = getenv("WEIR_FAILING_RENAME");
    if (failing && strstr(from, ".weir-") &&
        atomic_fetch_add(&num_calls, 1) + 1 == strtoul(failing, NULL, 10)) {
        errno = EIO;
        return -1;
    }
    return next(from, to);
}
