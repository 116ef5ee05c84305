// SPDX-License-Identifier: MIT
// Which processes belong to the program that is recorded.
#include "capture/weir/record/audio/family.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MAX_DEPTH = 256 }; // parents change while they are asked for

// Get the parent of a process, 0: it has none, or there is no such process.
static int64_t parent_of(int64_t process)
{
    char path[64], line[512];
    snprintf(path, sizeof(path), "/proc/%" PRId64 "/stat", process);
    FILE *file = fopen(path, "re");
    if (!file) {
        return 0;
    }
    const size_t size = fread(line, 1, sizeof(line) - 1, file);
    fclose(file);
    line[size] = 0;
    // The name stands in parentheses, and may have some itself.
    const char *end = strrchr(line, ')');
    int64_t parent = 0;
    return end && sscanf(end, ") %*c %" SCNd64, &parent) == 1 ? parent : 0;
}

bool record_family_has(int64_t process, int64_t program)
{
    const int64_t self = getpid();
    for (int i = 0; i < MAX_DEPTH && process > 1; i++) {
        if (process == program) {
            return true;
        }
        process = parent_of(process);
        if (process == self) {
            return true;
        }
    }
    return false;
}
