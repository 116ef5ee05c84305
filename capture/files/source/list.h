// SPDX-License-Identifier: MIT
// The files behind a path: one movie or picture, a URL, standard input, a folder of pictures, or a
// numbered sequence.
#ifndef WEIR_CAPTURE_FILES_SOURCE_LIST_H
#define WEIR_CAPTURE_FILES_SOURCE_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include <weir/log.h>
#include <weir/result.h>

struct weir_source_file {
    char *path;
    uint64_t number; // its time, in frames from the first file
};

struct weir_source_list {
    struct weir_source_file *files;
    size_t num_files, capacity;
    bool pictures; // each file is one picture of a sequence; else there is one file, of any kind
};

// Find the files. Errors: WEIR_ERROR_IO, WEIR_ERROR_DATA, WEIR_ERROR_OUT_OF_MEMORY; the log has the
// reason.
enum weir_result weir_source_list_find(struct weir_source_list *list, const char *path,
                                       const struct weir_log *log);

// Get the status of the file behind an input, which may be standard input ("-", "pipe:0") or a URL
// of a file. False if there is none.
bool weir_source_stat(const char *path, struct stat *status);

void weir_source_list_finish(struct weir_source_list *list);

#endif
