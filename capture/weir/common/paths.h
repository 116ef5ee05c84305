// SPDX-License-Identifier: MIT
// The files of a command: no output is an input, and no two outputs are one file, whatever the
// names by which they are called.
#ifndef WEIR_CAPTURE_WEIR_COMMON_PATHS_H
#define WEIR_CAPTURE_WEIR_COMMON_PATHS_H

#include <stdbool.h>
#include <stddef.h>

#include <weir/result.h>

struct cli_path;

// Zero it first.
struct cli_paths {
    struct cli_path *list;
    size_t num, room;
    bool is_short; // of memory
};

// Add a file; the path is borrowed. "-" is standard input, or no file for an output. NULL is none.
void cli_paths_add_input(struct cli_paths *paths, const char *path);
void cli_paths_add_output(struct cli_paths *paths, const char *path);

// Check all of them, before anything is written, and forget them. Prints the first output that is
// an input or another output. Errors: WEIR_ERROR_INVALID, WEIR_ERROR_OUT_OF_MEMORY.
enum weir_result cli_paths_check(struct cli_paths *paths);

// Check one input and one output, which may be NULL.
enum weir_result cli_paths_check_pair(const char *input, const char *output);

#endif
