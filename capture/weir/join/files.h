// SPDX-License-Identifier: MIT
// The files of movies that are joined, of which one is open at a time: there may be thousands.
#ifndef WEIR_CAPTURE_WEIR_JOIN_FILES_H
#define WEIR_CAPTURE_WEIR_JOIN_FILES_H

#include "capture/movie/view.h"

struct join_file;

struct join_files {
    char *const *paths; // borrowed
    size_t num;
    struct join_file *list;
    size_t current; // the one that is open
    int fd;         // -1: none is
};

// False: out of memory.
bool join_files_init(struct join_files *files, char *const *paths, size_t num);
void join_files_finish(struct join_files *files);

// Open a file, unless it is the current one. What is not what it was when it was opened first is
// refused. False: the reason was printed.
bool join_files_open(struct join_files *files, size_t number);

// Read of the current file. `user` is a struct join_files.
bool join_files_read(void *user, uint64_t offset, uint8_t *bytes, size_t size);

// Get the source of a view of the current file.
struct weir_view_source join_files_source(struct join_files *files);

#endif
