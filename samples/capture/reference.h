// SPDX-License-Identifier: MIT
// The file of --reference, which gets its name when all frames are in it.
#pragma once

#include <stdbool.h>
#include <stdio.h>

struct reference {
    const char *path;
    char target[4096];    // the path with links followed
    char temporary[4096]; // the name until it is complete, beside it; empty: it has none of its own
    FILE *file;           // NULL: not open
};

// Open it. A file that is there stays as it is until reference_close(); a pipe is written as it is.
bool reference_open(struct reference *reference, const char *path);

// Close it. It takes its name, with the rights of a file that it replaces, or is removed if it is
// not `complete`. Does nothing if it is not open.
bool reference_close(struct reference *reference, bool complete);
