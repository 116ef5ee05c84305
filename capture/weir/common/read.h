// SPDX-License-Identifier: MIT
// Reads of files that are movies: opens one, and reads from a place in it.
#ifndef WEIR_CAPTURE_WEIR_COMMON_READ_H
#define WEIR_CAPTURE_WEIR_COMMON_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "capture/movie/view.h"

// Open a movie that `command`, such as "weir join", was given, by open() with `flags`, and get its
// status. What is no file is refused. Returns the descriptor, or -1: the reason was printed.
int cli_read_open(const char *command, const char *path, int flags, struct stat *status);

// Read `size` bytes at `offset`, in as many calls as that takes. False: they cannot be read.
bool cli_read_at(int fd, uint64_t offset, uint8_t *bytes, size_t size);

// Get the source that a view reads such a file by. `fd` is borrowed, and read at each call.
struct weir_view_source cli_read_source(int *fd, uint64_t size);

#endif
